import type { Language } from '../../base/text/language.ts'
import type { ReasonCode, ReasonValues } from '../../read/report/reasons.ts'
import { READING_TEXTS } from './desk-columns.ts'
import { countEnglish, countRomanian, formatBytes, formatNumber, type TextTable } from './texts.ts'

type Say<C extends ReasonCode> = (values: ReasonValues[C]) => string

function nameSign(language: Language, sign: string): string {
  const texts = READING_TEXTS[language]
  return sign === '\t' || sign === 'tab' ? texts.tab : sign === ' ' ? texts.space : sign
}

/** What a server's answer means for the person who named the address. */
const HTTP = {
  ro(status: number, host: string): string {
    if (status === 401 || status === 403)
      return `Serverul ${host} nu dă fișierul fără autentificare (HTTP ${status}). Descărcați-l și încărcați-l dumneavoastră.`
    if (status === 404 || status === 410)
      return `La această adresă nu (mai) este niciun fișier (HTTP ${status}). Verificați adresa.`
    if (status === 429 || status >= 500)
      return `Serverul ${host} nu poate răspunde acum (HTTP ${status}). Încercați mai târziu.`
    return `Serverul ${host} nu dă fișierul (HTTP ${status}). Verificați adresa.`
  },
  en(status: number, host: string): string {
    if (status === 401 || status === 403)
      return `The server ${host} does not give the file without a sign-in (HTTP ${status}). Download it and upload it yourself.`
    if (status === 404 || status === 410)
      return `There is no file at this address (HTTP ${status}). Check the address.`
    if (status === 429 || status >= 500)
      return `The server ${host} cannot answer now (HTTP ${status}). Try again later.`
    return `The server ${host} does not give the file (HTTP ${status}). Check the address.`
  },
} as const

/** Why a file cannot be read, fetched or published, by code: the reason, and what to do about it on the page. */
export const REASON_TEXTS: TextTable<{ readonly [C in ReasonCode]: Say<C> }> = {
  ro: {
    empty_file: () => 'Fișierul este gol. Alegeți altul.',
    no_text: () => 'În fișier nu este niciun text. Verificați că este fișierul potrivit.',
    blank_sheet: ({ sheet }) =>
      `Foaia „${sheet}” este goală. Alegeți altă foaie la „Cum se citește fișierul”.`,
    not_text: () =>
      'Fișierul nu este un tabel sau un text. Dacă este un text în UTF-16 ori UTF-32, alegeți aceasta la „Codificarea literelor”; altfel salvați tabelul ca XLSX sau CSV și încărcați-l din nou.',
    not_a_table: () =>
      'Fișierul nu este un tabel: se pot citi CSV, XLSX, XLS, ODS și JSON. Salvați tabelul într-unul dintre aceste formate și încărcați-l din nou.',
    xlsb_workbook: () => 'Registrele XLSB nu se pot citi. Salvați fișierul ca XLSX și încărcați-l din nou.',
    nested_archive: () =>
      'În arhivă se află altă arhivă. Dezarhivați-o pe cea din afară și încărcați ce este în ea.',
    archive_without_table: () => 'În arhivă nu este niciun tabel.',
    archive_of_several: ({ names }) =>
      `În arhivă sunt mai multe fișiere: ${names}. Dezarhivați-o și încărcați fișierul dorit.`,
    damaged_file: () =>
      'Fișierul este deteriorat sau incomplet. Deschideți-l în programul lui, salvați-l din nou și încărcați-l.',
    password_file: () => 'Fișierul este protejat cu parolă. Salvați-l fără parolă și încărcați-l din nou.',
    unsafe_file: () =>
      'Fișierul pretinde mult mai mult decât are un tabel obișnuit și nu se citește. Salvați numai tabelul, ca CSV, și încărcați-l.',
    needs_memory: () =>
      'Fișierul cere mai multă memorie decât este permis. Salvați numai tabelul, ca CSV, și încărcați-l.',
    took_too_long: () =>
      'Citirea fișierului a durat prea mult. Salvați numai tabelul, ca CSV, și încărcați-l.',
    work_ended: () =>
      'Citirea fișierului s-a întrerupt de mai multe ori. Poate fi o problemă a serviciului: încercați din nou, apoi anunțați administratorul.',
    too_large: () =>
      'Tabelul este prea mare pentru acest serviciu. Împărțiți fișierul sau lăsați deoparte din coloane.',
    disk_full: () =>
      'Serviciul nu mai are loc pe disc. Anunțați administratorul; ce este publicat rămâne publicat.',
    wrong_encoding: ({ encoding }) =>
      `Fișierul nu este scris în ${encoding}. Alegeți altceva la „Codificarea literelor”.`,
    json_invalid: ({ line, column }) =>
      `Fișierul JSON are o greșeală pe linia ${line}, la semnul ${column}. Corectați-l și încărcați-l din nou.`,
    json_without_rows: () => 'Fișierul JSON nu conține o listă de obiecte, din care să se facă rândurile.',
    json_several_tables: ({ names }) =>
      `Fișierul JSON conține mai multe liste la fel de mari: ${names}. Salvați-o pe cea dorită ca fișier.`,
    json_too_many_names: ({ most }) =>
      `Obiectele din fișierul JSON au peste ${formatNumber('ro', most)} de nume diferite; un set de date nu poate avea atâtea coloane.`,
    json_long_row: () => 'Un rând din fișierul JSON este prea lung.',
    endless_line: () =>
      'Fișierul începe cu o linie de mulți megaocteți. Probabil s-au pierdut sfârșiturile de linie: salvați-l din nou.',
    endless_record: ({ line }) =>
      `Rândul de pe linia ${line} nu se mai termină: probabil lipsesc niște ghilimele. Corectați linia și încărcați din nou fișierul.`,
    open_quote: ({ line, cell }) =>
      `Ghilimelele deschise pe linia ${line}, în celula ${cell}, nu se mai închid. Verificați că fișierul este întreg și corectați linia, sau alegeți „niciunul” la „Ghilimele în jurul textelor”.`,
    stray_header_quote: ({ line }) =>
      `În antetul de pe linia ${line} sunt niște ghilimele în plus. Corectați linia, bifați alt antet, sau alegeți „niciunul” la „Ghilimele în jurul textelor”.`,
    too_many_columns: ({ line, cells, most }) =>
      `Linia ${line} are ${countRomanian(cells, 'celulă', 'celule')}, iar un set de date poate avea cel mult ${countRomanian(most, 'coloană', 'coloane')}. Verificați „Separatorul celulelor”.`,
    columns_hidden: () =>
      'Foaia ascunde toate coloanele. Afișați-le în programul de calcul tabelar și încărcați fișierul din nou, sau alegeți „se citesc” la „Rânduri și coloane ascunse”.',
    header_row_blank: ({ row }) => `Rândul ${row}, ales ca antet, este gol. Bifați alt rând.`,
    header_row_missing: ({ row, records }) =>
      `Rândul ${row}, ales ca antet, nu există: fișierul are ${countRomanian(records, 'rând', 'rânduri')}. Bifați alt rând.`,
    header_width: ({ named, cells, rows, all }) =>
      `Antetul are ${countRomanian(named, 'nume', 'nume')}, dar ${formatNumber('ro', rows)} din ${formatNumber('ro', all)} rânduri au ${countRomanian(cells, 'celulă', 'celule')}. Bifați rândul potrivit ca antet, corectați fișierul, sau alegeți alt „Separatorul celulelor”.`,
    weak_delimiter: ({ sign }) =>
      `Nu este sigur că „${nameSign('ro', sign)}” desparte celulele. Alegeți semnul la „Separatorul celulelor”.`,
    two_delimiters: () =>
      'Două semne despart celulele la fel de bine. Alegeți unul la „Separatorul celulelor”.',
    fixed_width: () =>
      'Coloanele par despărțite prin spații, ca într-un raport tipărit. Salvați tabelul ca XLSX sau CSV, sau alegeți semnul la „Separatorul celulelor”.',
    title_or_name: ({ record, sign }) =>
      `Deasupra antetului pare să fie un titlu, dar el poate fi și numele unei singure coloane, cu „${nameSign('ro', sign)}” în texte. Bifați rândul ${record} dacă acela este antetul; altfel alegeți alt „Separatorul celulelor”.`,
    other_delimiter: ({ sign }) =>
      `Tabelul ar avea o singură coloană, dar liniile par despărțite prin „${nameSign('ro', sign)}”. Alegeți semnul la „Separatorul celulelor”.`,
    other_layout: () =>
      'Tabelul ar avea o singură coloană, dar liniile par să aibă mai multe. Salvați tabelul ca XLSX sau CSV, sau alegeți semnul la „Separatorul celulelor”.',
    sheet_of_lines: ({ record }) =>
      `Foaia are o singură coloană, iar celulele ei par rânduri de raport tipărit, cu mai multe coloane în fiecare. Cereți tabelul din care s-a făcut raportul, sau bifați rândul ${record} dacă fiecare celulă este un singur text.`,
    header_like_data: ({ record }) =>
      `Rândul ${record} ar fi antetul, dar arată ca un rând de date. Bifați-l dacă este antetul, sau apăsați „Fișierul nu are antet”.`,
    texts_below_header: ({ record, count }) =>
      `Rândul ${record} ar fi antetul, dar sub el ${count === 1 ? 'este un rând' : `sunt ${countRomanian(count, 'rând', 'rânduri')}`} cu texte acolo unde celelalte au numere. Bifați rândul sau rândurile cu numele coloanelor.`,
    wrong_address: () =>
      'Aceasta nu este adresa unui fișier. Ea începe cu https:// sau, pentru un pachet CKAN, cu ckan:https://',
    unknown_host: ({ host }) => `Nu există niciun server cu numele ${host}. Verificați adresa.`,
    no_answer: ({ host }) => `Serverul ${host} nu răspunde. Încercați mai târziu.`,
    bad_certificate: ({ host }) =>
      `Certificatul serverului ${host} nu este de încredere. Descărcați fișierul și încărcați-l dumneavoastră.`,
    connection_lost: ({ host }) =>
      `Legătura cu ${host} s-a întrerupt înainte ca fișierul să fie întreg. Încercați din nou.`,
    connection_failed: ({ host }) => `Legătura cu ${host} nu a reușit. Încercați mai târziu.`,
    http_status: ({ host, status }) => HTTP.ro(status, host),
    wrong_redirect: ({ host }) =>
      `Adresa de la ${host} trimite în altă parte, unde nu este niciun fișier. Folosiți adresa de la butonul de descărcare.`,
    insecure_redirect: ({ host }) =>
      `Adresa de la ${host} trimite la una fără criptare, unde oricine pe drum ar putea schimba datele. Descărcați fișierul și încărcați-l dumneavoastră.`,
    private_address: ({ host }) =>
      `${host} se află într-o rețea internă, de unde serviciul nu preia fișiere. Încărcați fișierul dumneavoastră.`,
    too_slow: ({ host }) =>
      `Serverul ${host} este prea lent. Încercați mai târziu, sau încărcați fișierul dumneavoastră.`,
    wrong_packing: ({ host }) =>
      `Serverul ${host} trimite fișierul comprimat într-un fel care nu se poate citi. Descărcați-l și încărcați-l dumneavoastră.`,
    too_large_to_fetch: ({ bytes }) =>
      `Fișierul de la această adresă depășește ${formatBytes('ro', bytes)}, cât poate primi serviciul acum.`,
    html_page: () =>
      'La această adresă este o pagină, nu un fișier. Folosiți adresa de la butonul de descărcare.',
    not_a_catalogue: ({ host }) => `${host} nu răspunde ca un catalog CKAN. Verificați adresa.`,
    package_not_found: ({ host, name }) =>
      `Catalogul de la ${host} nu dă pachetul „${name}”. Verificați adresa.`,
    package_closed: ({ host, name }) => `Catalogul de la ${host} nu arată pachetul „${name}” tuturor.`,
    package_without_files: () => 'Pachetul de la această adresă nu are fișiere.',
    package_of_several: () =>
      'Pachetul are mai multe fișiere, sau niciunul care se poate citi. Adăugați la sfârșitul adresei / și numele fișierului dorit.',
    unknown_sheet: ({ sheet }) =>
      `Foaia „${sheet}” nu este în fișier. Alegeți alta la „Cum se citește fișierul”.`,
    no_sheets: ({ sheet }) =>
      `Fișierul nu are foi, deci nici foaia „${sheet}”. Alegeți „automat” la „Foaia”.`,
    unknown_encoding: ({ encoding }) =>
      `Codificarea „${encoding}” nu este cunoscută. Alegeți alta la „Codificarea literelor”.`,
    same_signs: ({ sign }) =>
      `„${nameSign('ro', sign)}” nu poate despărți celulele și fi totodată semnul din jurul textelor. Schimbați una dintre alegeri.`,
    unknown_column: ({ column }) =>
      `Coloana „${column}”, de care depinde o alegere, nu mai este în tabel. Puneți-o la loc sau bifați alt antet.`,
    header_in_objects: () =>
      'Într-un fișier JSON numele coloanelor stau în obiecte: nu se poate alege un rând ca antet.',
    no_columns: () => 'Toate coloanele sunt lăsate deoparte. Puneți la loc cel puțin una.',
    key_of_append: ({ key }) =>
      `Rândurile se adaugă după cheia publicată (${key || 'niciuna'}), care nu se poate schimba. Alegeți ca rândurile să ia locul celor publicate.`,
    drift: () =>
      'Fișierul nu are coloanele care sunt publicate. Încărcați-l din nou pe pagina de publicare și alegeți coloanele care sunt aceleași.',
    append_drift: () =>
      'Fișierul nu are coloanele care sunt publicate, deci rândurile lui nu se pot adăuga. Încărcați-l din nou pe pagina de publicare și alegeți coloanele care sunt aceleași.',
    quarantine: () =>
      'Prea multe rânduri din fișier nu pot fi citite. Încărcați-l pe pagina de publicare, ca să le vedeți.',
    too_many_mended: () =>
      'Prea multe rânduri din fișier au alt număr de celule decât antetul. Încărcați-l pe pagina de publicare, ca să le verificați.',
    empty: () => 'Din fișier nu rămâne niciun rând, iar setul de date ar deveni gol.',
    duplicate_key: () =>
      'Rânduri din fișier au aceeași cheie ca rânduri publicate. Încărcați-l pe pagina de publicare, ca să alegeți ce se înlocuiește.',
    too_few_rows: () =>
      'Ar rămâne mai puțin de jumătate din rândurile publicate. Verificați că fișierul este întreg.',
    personal_data: () =>
      'Fișierul pare să conțină date despre persoane. Încărcați-l pe pagina de publicare, ca să le lăsați deoparte sau să confirmați că pot fi publicate.',
  },
  en: {
    empty_file: () => 'The file is empty. Choose another one.',
    no_text: () => 'The file has no text in it. Check that it is the right one.',
    blank_sheet: ({ sheet }) =>
      `The sheet “${sheet}” is empty. Choose another one under “How the file is read”.`,
    not_text: () =>
      'The file is neither a table nor text. If it is text in UTF-16 or UTF-32, choose that under “Encoding of letters”; else save its table as XLSX or CSV and upload that.',
    not_a_table: () =>
      'The file is not a table: CSV, XLSX, XLS, ODS and JSON can be read. Save its table in one of these formats and upload that.',
    xlsb_workbook: () => 'XLSB workbooks cannot be read. Save the file as XLSX and upload that.',
    nested_archive: () => 'The archive holds another archive. Unpack the outer one and upload what is in it.',
    archive_without_table: () => 'There is no table in the archive.',
    archive_of_several: ({ names }) =>
      `The archive holds several files: ${names}. Unpack it and upload the one that is meant.`,
    damaged_file: () =>
      'The file is damaged or cut off. Open it in its program, save it again and upload that.',
    password_file: () => 'The file is protected with a password. Save it without one and upload that.',
    unsafe_file: () =>
      'The file claims far more than any table holds, and is not read. Save the table alone, as CSV, and upload that.',
    needs_memory: () =>
      'The file needs more memory than a file may take. Save the table alone, as CSV, and upload that.',
    took_too_long: () => 'Reading the file took too long. Save the table alone, as CSV, and upload that.',
    work_ended: () =>
      'Reading the file broke off several times. The service may be at fault: try again, then tell the operator.',
    too_large: () => 'The table is too large for this service. Split the file, or leave columns out.',
    disk_full: () =>
      'The service has no room left on its disk. Tell the operator; what is published stays published.',
    wrong_encoding: ({ encoding }) =>
      `The file is not written in ${encoding}. Choose another one under “Encoding of letters”.`,
    json_invalid: ({ line, column }) =>
      `The JSON file has a mistake on line ${line}, at sign ${column}. Mend it and upload it again.`,
    json_without_rows: () => 'The JSON file holds no list of objects, which would be the rows.',
    json_several_tables: ({ names }) =>
      `The JSON file holds several lists of the same length: ${names}. Save the one that is meant as a file.`,
    json_too_many_names: ({ most }) =>
      `The objects of the JSON file have more than ${formatNumber('en', most)} different names; a dataset cannot have that many columns.`,
    json_long_row: () => 'A row of the JSON file is too long.',
    endless_line: () =>
      'The file begins with a line of many megabytes. Its line ends were probably lost: save it again.',
    endless_record: ({ line }) =>
      `The row on line ${line} has no end: a quote is probably missing. Mend the line and upload the file again.`,
    open_quote: ({ line, cell }) =>
      `The quote that opens on line ${line}, in cell ${cell}, is never closed. Check that the file is complete and mend the line, or choose “none” under “Quotes around texts”.`,
    stray_header_quote: ({ line }) =>
      `The header on line ${line} has a stray quote. Mend the line, tick another header, or choose “none” under “Quotes around texts”.`,
    too_many_columns: ({ line, cells, most }) =>
      `Line ${line} has ${countEnglish(cells, 'cell', 'cells')}, and a dataset may have ${countEnglish(most, 'column', 'columns')}. Check “Sign between cells”.`,
    columns_hidden: () =>
      'The sheet hides all of its columns. Show them in a spreadsheet program and upload the file again, or choose “read them” under “Hidden rows and columns”.',
    header_row_blank: ({ row }) => `Row ${row}, which was chosen as the header, is blank. Tick another one.`,
    header_row_missing: ({ row, records }) =>
      `Row ${row}, which was chosen as the header, is not there: the file has ${countEnglish(records, 'row', 'rows')}. Tick another one.`,
    header_width: ({ named, cells, rows, all }) =>
      `The header has ${countEnglish(named, 'name', 'names')}, but ${formatNumber('en', rows)} of ${formatNumber('en', all)} rows have ${countEnglish(cells, 'cell', 'cells')}. Tick the row that is the header, mend the file, or choose another “Sign between cells”.`,
    weak_delimiter: ({ sign }) =>
      `It is not certain that “${nameSign('en', sign)}” separates the cells. Choose the sign under “Sign between cells”.`,
    two_delimiters: () => 'Two signs separate the cells equally well. Choose one under “Sign between cells”.',
    fixed_width: () =>
      'The columns seem to be separated by spaces, as in a printed report. Save the table as XLSX or CSV, or choose the sign under “Sign between cells”.',
    title_or_name: ({ record, sign }) =>
      `There seems to be a title above the header, but it may also be the name of the only column, with “${nameSign('en', sign)}” in its texts. Tick row ${record} if that is the header; else choose another “Sign between cells”.`,
    other_delimiter: ({ sign }) =>
      `The table would have one column, but its lines seem to be separated by “${nameSign('en', sign)}”. Choose the sign under “Sign between cells”.`,
    other_layout: () =>
      'The table would have one column, but its lines seem to hold several. Save the table as XLSX or CSV, or choose the sign under “Sign between cells”.',
    sheet_of_lines: ({ record }) =>
      `The sheet has one column, and its cells look like the lines of a printed report, each with several columns in it. Ask for the table that the report was made of, or tick row ${record} if each cell is one text.`,
    header_like_data: ({ record }) =>
      `Row ${record} would be the header, but looks like data. Tick it if it is the header, or choose “The file has no header”.`,
    texts_below_header: ({ record, count }) =>
      `Row ${record} would be the header, but ${count === 1 ? 'the row below it has' : `the ${count} rows below it have`} texts where all others have numbers. Tick the row or rows with the names of the columns.`,
    wrong_address: () =>
      'This is not the address of a file. It begins with https://, or ckan:https:// for a CKAN package.',
    unknown_host: ({ host }) => `There is no server called ${host}. Check the address.`,
    no_answer: ({ host }) => `The server ${host} does not answer. Try again later.`,
    bad_certificate: ({ host }) =>
      `The certificate of ${host} cannot be trusted. Download the file and upload it yourself.`,
    connection_lost: ({ host }) =>
      `The connection to ${host} broke off before the file was complete. Try again.`,
    connection_failed: ({ host }) => `The connection to ${host} failed. Try again later.`,
    http_status: ({ host, status }) => HTTP.en(status, host),
    wrong_redirect: ({ host }) =>
      `The address at ${host} leads elsewhere, where there is no file. Use the address behind the download button.`,
    insecure_redirect: ({ host }) =>
      `The address at ${host} leads to one without encryption, where anybody on the way could change the data. Download the file and upload it yourself.`,
    private_address: ({ host }) =>
      `${host} is inside a private network, from which the service fetches nothing. Upload the file yourself.`,
    too_slow: ({ host }) => `The server ${host} is too slow. Try again later, or upload the file yourself.`,
    wrong_packing: ({ host }) =>
      `The server ${host} sends the file packed in a way that cannot be read. Download it and upload it yourself.`,
    too_large_to_fetch: ({ bytes }) =>
      `The file at this address is larger than ${formatBytes('en', bytes)}, which is what the service can take now.`,
    html_page: () =>
      'There is a page at this address, not a file. Use the address behind the download button.',
    not_a_catalogue: ({ host }) => `${host} does not answer as a CKAN catalogue. Check the address.`,
    package_not_found: ({ host, name }) =>
      `The catalogue at ${host} does not give the package “${name}”. Check the address.`,
    package_closed: ({ host, name }) =>
      `The catalogue at ${host} does not show the package “${name}” to everybody.`,
    package_without_files: () => 'The package at this address has no files.',
    package_of_several: () =>
      'The package has several files, or none that can be read. Add / and the name of the file to the end of the address.',
    unknown_sheet: ({ sheet }) =>
      `The sheet “${sheet}” is not in the file. Choose another one under “How the file is read”.`,
    no_sheets: ({ sheet }) =>
      `The file has no sheets, and so no sheet “${sheet}”. Choose “automatic” under “Sheet”.`,
    unknown_encoding: ({ encoding }) =>
      `The encoding “${encoding}” is not known. Choose another one under “Encoding of letters”.`,
    same_signs: ({ sign }) =>
      `“${nameSign('en', sign)}” cannot both separate cells and stand around texts. Change one of the two choices.`,
    unknown_column: ({ column }) =>
      `The column “${column}”, on which a choice rests, is no longer in the table. Put it back, or tick another header.`,
    header_in_objects: () =>
      'In a JSON file the names of the columns are in the objects: no row can be chosen as the header.',
    no_columns: () => 'All columns are left out. Put back at least one.',
    key_of_append: ({ key }) =>
      `Rows are added by the published key (${key || 'none'}), which cannot be changed. Let the rows take the place of those that are published.`,
    drift: () =>
      'The file does not have the columns that are published. Upload it on the publishing page and say which columns are the same.',
    append_drift: () =>
      'The file does not have the columns that are published, so its rows cannot be added. Upload it on the publishing page and say which columns are the same.',
    quarantine: () =>
      'Too many rows of the file cannot be read. Upload it on the publishing page to see them.',
    too_many_mended: () =>
      'Too many rows of the file have another number of cells than the header. Upload it on the publishing page to check them.',
    empty: () => 'No row of the file is left, and the dataset would become empty.',
    duplicate_key: () =>
      'Rows of the file have the same key as rows that are published. Upload it on the publishing page to choose what is replaced.',
    too_few_rows: () =>
      'Fewer than half of the published rows would be left. Check that the file is complete.',
    personal_data: () =>
      'The file seems to hold data about people. Upload it on the publishing page to leave them out, or to confirm that they may be published.',
  },
}
