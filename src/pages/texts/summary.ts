import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** The summary of a dataset: groups, their measure, totals. */
export const SUMMARY_TEXTS = textTable({
  heading: ['Totaluri și grafice', 'Summary'],
  back: ['Vedeți rândurile', 'See the rows'],
  crumbs: ['Unde sunteți', 'You are here'],
  catalog: ['Catalog', 'Catalog'],
  rowsBy: ['Rânduri după', 'Rows by'],
  columnsBy: ['Coloane după', 'Columns by'],
  measure: ['Se calculează', 'Measure'],
  nothing: ['nimic', 'nothing'],
  show: ['Arată', 'Show'],
  byPart: [
    (column: string, part: string) => `${column}, ${part}`,
    (column: string, part: string) => `${column}, ${part}`,
  ],
  year: ['pe ani', 'by year'],
  quarter: ['pe trimestre', 'by quarter'],
  month: ['pe luni', 'by month'],
  day: ['pe zile', 'by day'],
  rowCount: ['Numărul de rânduri', 'Number of rows'],
  count: [(column: string) => `Câte valori: ${column}`, (column: string) => `Number of values: ${column}`],
  count_distinct: [
    (column: string) => `Câte valori diferite: ${column}`,
    (column: string) => `Different values: ${column}`,
  ],
  sum: [(column: string) => `Suma: ${column}`, (column: string) => `Sum: ${column}`],
  avg: [(column: string) => `Media: ${column}`, (column: string) => `Mean: ${column}`],
  median: [(column: string) => `Mediana: ${column}`, (column: string) => `Median: ${column}`],
  min: [(column: string) => `Minimul: ${column}`, (column: string) => `Least: ${column}`],
  max: [(column: string) => `Maximul: ${column}`, (column: string) => `Greatest: ${column}`],
  withUnit: [
    (measure: string, unit: string) => `${measure} (${unit})`,
    (measure: string, unit: string) => `${measure} (${unit})`,
  ],
  caption: [
    (measure: string, rows: string) => `${measure}, după ${rows}`,
    (measure: string, rows: string) => `${measure}, by ${rows}`,
  ],
  captionAcross: [
    (measure: string, rows: string, columns: string) => `${measure}, după ${rows} și ${columns}`,
    (measure: string, rows: string, columns: string) => `${measure}, by ${rows} and ${columns}`,
  ],
  found: [
    (count: number) => `din ${countRomanian(count, 'rând', 'rânduri')}`,
    (count: number) => `of ${countEnglish(count, 'row', 'rows')}`,
  ],
  total: ['Total', 'Total'],
  overall: ['În toate', 'Overall'],
  share: ['Din total', 'Share'],
  others: ['celelalte', 'the others'],
  groups: [
    (count: number) => countRomanian(count, 'grup', 'grupuri'),
    (count: number) => countEnglish(count, 'group', 'groups'),
  ],
  range: [
    (from: string, to: string, of: string) => `${from}–${to} din ${of}`,
    (from: string, to: string, of: string) => `${from}–${to} of ${of}`,
  ],
  pages: ['Paginile totalurilor', 'Pages of the summary'],
  someColumns: [
    (shown: number, all: number) =>
      `Pe coloane: cele mai mari ${shown} din ${countRomanian(all, 'grup', 'grupuri')}. Totalurile le cuprind pe toate; fișierul le are pe toate.`,
    (shown: number, all: number) =>
      `Columns: the greatest ${shown} of ${countEnglish(all, 'group', 'groups')}. Totals include all of them, and so does the file.`,
  ],
  someBars: [
    (shown: number) => `Graficul arată primele ${shown}.`,
    (shown: number) => `The chart shows the first ${shown}.`,
  ],
  numbers: ['Numerele din grafic', 'The numbers of the chart'],
  table: ['Tabel cu totaluri', 'Table with totals'],
  chart: [(caption: string) => `Grafic: ${caption}`, (caption: string) => `Chart: ${caption}`],
  sortBy: [(column: string) => `Ordonează după: ${column}`, (column: string) => `Sort by: ${column}`],
  noGroups: [
    'Acest set de date nu are coloane după care să se grupeze.',
    'This dataset has no columns to group by.',
  ],
})
