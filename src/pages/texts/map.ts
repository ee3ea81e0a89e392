import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** The map of a dataset's rows. */
export const MAP_TEXTS = textTable({
  heading: [(title: string) => `Harta: ${title}`, (title: string) => `Map: ${title}`],
  short: ['Harta', 'Map'],
  lead: [
    'Fiecare punct este un rând; apăsați pe el ca să vedeți rândul în tabel.',
    'Each point is a row; a click on it shows the row in the table.',
  ],
  drawn: [
    (drawn: number, total: number) =>
      drawn === total
        ? countRomanian(total, 'punct', 'puncte')
        : `${countRomanian(drawn, 'punct', 'puncte')} din ${countRomanian(total, 'rând', 'rânduri')}, alese din loc în loc; apropiați harta ca să apară și celelalte`,
    (drawn: number, total: number) =>
      drawn === total
        ? countEnglish(total, 'point', 'points')
        : `${countEnglish(drawn, 'point', 'points')} of ${countEnglish(total, 'row', 'rows')}, taken evenly; zoom in to see the others`,
  ],
  none: ['Niciun rând din filtrele de acum nu are un loc.', 'No row that the filters leave has a place.'],
  controls: ['Mișcați harta', 'Move the map'],
  closer: ['Mai aproape', 'Zoom in'],
  farther: ['Mai departe', 'Zoom out'],
  north: ['Spre nord', 'North'],
  south: ['Spre sud', 'South'],
  west: ['Spre vest', 'West'],
  east: ['Spre est', 'East'],
  whole: ['Toată harta', 'The whole map'],
  rows: ['Rândurile de pe hartă, în tabel', 'The rows on the map, as a table'],
  place: [
    (latitude: string, longitude: string) => `Rândul de la ${latitude}, ${longitude}`,
    (latitude: string, longitude: string) => `The row at ${latitude}, ${longitude}`,
  ],
})
