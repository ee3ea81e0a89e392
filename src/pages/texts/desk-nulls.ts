import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

const SHOWN = 3

/** `„a”, „b” și alte 3 coloane`. */
function namesInRomanian(columns: readonly string[]): string {
  const names = columns.slice(0, SHOWN).join(', ')
  const rest = columns.length - SHOWN
  return rest > 0 ? `${names} și alte ${countRomanian(rest, 'coloană', 'coloane')}` : names
}

function namesInEnglish(columns: readonly string[]): string {
  const names = columns.slice(0, SHOWN).join(', ')
  const rest = columns.length - SHOWN
  return rest > 0 ? `${names} and ${countEnglish(rest, 'more column', 'more columns')}` : names
}

/** Texts among numbers or dates, which may mean “no value”: `/publish/drafts/{id}`. */
export const NULL_TEXTS = textTable({
  title: ['Celule care pot însemna „fără valoare”', 'Cells that may mean “no value”'],
  text: [
    'Din cauza textelor de mai jos, unele coloane sunt text, deși celelalte valori ale lor sunt numere sau date calendaristice. Bifați-le pe cele care înseamnă că valoarea lipsește.',
    'Because of these texts some columns are text although their other values are numbers or dates. Tick those that mean that there is no value.',
  ],
  means: ['înseamnă „fără valoare”', 'means “no value”'],
  decided: ['(ales de dumneavoastră)', '(as you chose)'],
  found: [
    (count: number, columns: readonly string[]) =>
      `(${countRomanian(count, 'celulă', 'celule')}: ${namesInRomanian(columns)})`,
    (count: number, columns: readonly string[]) =>
      `(${countEnglish(count, 'cell', 'cells')}: ${namesInEnglish(columns)})`,
  ],
  more: [
    (count: number) => `Arată încă ${countRomanian(count, 'text', 'texte')}`,
    (count: number) => `Show ${countEnglish(count, 'more', 'more')}`,
  ],
})
