import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** The feeds of new versions. */
export const FEED_TEXTS = textTable({
  title: ['Izvor: seturi de date noi și actualizate', 'Izvor: new and updated datasets'],
  first: [(title: string) => `${title}: publicat`, (title: string) => `${title}: published`],
  updated: [
    (title: string, version: number) => `${title}: versiunea ${version}`,
    (title: string, version: number) => `${title}: version ${version}`,
  ],
  summary: [
    (rows: number, refused: number) =>
      `${countRomanian(rows, 'rând', 'rânduri')}, ${countRomanian(refused, 'rând', 'rânduri')} în carantină.`,
    (rows: number, refused: number) =>
      `${countEnglish(rows, 'row', 'rows')}, ${countEnglish(refused, 'row', 'rows')} in quarantine.`,
  ],
})
