/** What prevents publishing a file that was read, by the kind of gate. */

import type { ErrorCode } from '../../../base/error-codes.ts'
import type { Row } from './row.ts'

interface Gate extends Row<Record<string, never>> {
  readonly ro: string
  readonly en: string
  readonly shell: string
  readonly override: string
  /** For the API: the error code, and what to do about it in requests. */
  readonly code: ErrorCode
  readonly api: string
}

function gate(says: Gate): Gate {
  return says
}

export const GATE_REFUSALS = {
  drift: gate({
    ro: 'Fișierul nu are coloanele publicate.',
    en: 'The file does not have the columns that are published.',
    desk: {
      ro: 'Încărcați-l din nou pe pagina de publicare și alegeți coloanele care sunt aceleași.',
      en: 'Upload it on the publishing page and say which columns are the same.',
    },
    shell:
      'Publish it anyway with --accept-drift. A column that only has another header now keeps its name by a definition: "name" as it is served, "source" as the file has it.',
    override: '--accept-drift',
    code: 'schema_drift',
    api: 'Publish it anyway with "accept_drift": true. A column that only has another header now keeps its name by a PATCH of "columns": "name" as it is served, "source" as the file has it.',
  }),
  append_drift: gate({
    ro: 'Fișierul nu are coloanele publicate, așa că rândurile lui nu se pot adăuga.',
    en: 'The file does not have the columns that are published, so its rows cannot be added.',
    desk: {
      ro: 'Încărcați-l din nou pe pagina de publicare și alegeți coloanele care sunt aceleași.',
      en: 'Upload it on the publishing page and say which columns are the same.',
    },
    shell:
      'A column that only has another header or type keeps its name and type by a definition: "name" and "type" as they are served, "source" as the file has it.',
    override: '"columns" in a definition',
    code: 'schema_drift',
    api: 'A column that only has another header or type keeps its name and type by a PATCH of "columns": "name" and "type" as they are served, "source" as the file has it.',
  }),
  quarantine: gate({
    ro: 'Prea multe rânduri din fișier nu pot fi citite.',
    en: 'Too many rows of the file cannot be read.',
    desk: {
      ro: 'Încărcați-l pe pagina de publicare, ca să le vedeți.',
      en: 'Upload it on the publishing page to see them.',
    },
    shell:
      'Fix the file, or a definition that asks for more than the file has, or allow more with --max-quarantine.',
    override: '--max-quarantine',
    code: 'too_many_quarantined',
    api: 'Fix the file, or allow a larger share with "max_quarantine", from 0 to 1.',
  }),
  too_many_mended: gate({
    ro: 'Prea multe rânduri din fișier au alt număr de celule decât antetul.',
    en: 'Too many rows of the file have a different number of cells than the header.',
    desk: {
      ro: 'Încărcați-l pe pagina de publicare, ca să le verificați.',
      en: 'Upload it on the publishing page to check them.',
    },
    shell:
      'Fix the file, see the rows with a dry run, or allow more with --max-mended; with --ragged quarantine none is mended.',
    override: '--max-mended',
    code: 'too_many_mended',
    api: 'Look through the mended rows, then allow a larger share with "max_mended", from 0 to 1.',
  }),
  empty: gate({
    ro: 'Din fișier nu rămâne niciun rând, așa că setul de date ar rămâne gol.',
    en: 'No row of the file is left, so the dataset would become empty.',
    shell: 'If that is intended, use --accept-drift.',
    override: '--accept-drift',
    code: 'schema_drift',
    api: 'If that is intended, publish it with "accept_drift": true.',
  }),
  too_few_rows: gate({
    ro: 'Ar rămâne mai puțin de jumătate din rândurile publicate. Verificați că fișierul este complet.',
    en: 'Fewer than half of the published rows would be left. Check that the file is complete.',
    shell: 'If the rows are gone for good, use --accept-shrink; if the file is a part, add it with --append.',
    override: '--accept-shrink',
    code: 'too_few_rows',
    api: 'If the rows are gone for good, publish it with "accept_shrink": true; if the file is a part, add it with a PATCH of "mode": "append".',
  }),
  duplicate_key: gate({
    ro: 'Unele rânduri din fișier au aceeași cheie ca rânduri deja publicate.',
    en: 'Some rows of the file have the same key as published rows.',
    desk: {
      ro: 'Încărcați-l pe pagina de publicare, ca să alegeți ce se înlocuiește.',
      en: 'Upload it on the publishing page to choose what is replaced.',
    },
    shell:
      'If the file repeats served rows, name the columns that distinguish its edition, such as year and month, under "replace_where" in a definition: served rows with the same values there are removed first.',
    override: '"replace_where" in a definition',
    code: 'duplicate_key',
    api: 'If the rows are repeated, name the columns that distinguish this edition with a PATCH of "replace_where": served rows with the same values there are removed first.',
  }),
  personal_data: gate({
    ro: 'Fișierul pare să conțină date personale.',
    en: 'The file seems to hold personal data.',
    desk: {
      ro: 'Încărcați-l pe pagina de publicare, ca să le lăsați deoparte sau să confirmați că pot fi publicate.',
      en: 'Upload it on the publishing page to leave them out, or to confirm that they may be published.',
    },
    /** `{override}` is replaced by the option with the names of the columns. */
    shell:
      'Leave the columns out, or, if they may be published, say so with {override}, or name them under "personal_data" in a definition.',
    override: '--allow-personal-data',
    code: 'personal_data',
    api: 'Leave the columns out, or, if they may be published, name them in "allow_personal_data".',
  }),
}
