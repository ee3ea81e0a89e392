/** izvor datasets picture ID: draws the pictures by which other sites show links to datasets. */

import { requireServed } from '../../store/catalog/missing-dataset.ts'
import { type CatalogPlace, catalogCommand } from '../cli/command-row.ts'

export const picture = catalogCommand({
  name: 'picture',
  description: 'Draw the picture of a dataset again, by which other sites show links to it.',
  takes: (command) => command.argument('<id>', 'the dataset'),
  does: async ({ catalog, folder }: CatalogPlace, id: string) => {
    const { version } = requireServed(catalog, id)
    const { drawPictures } = await import('../../pages/picture/draw-pictures.ts')
    await drawPictures({ catalog, dataDir: folder }, id)
    return { dataset: id, version }
  },
  prints: (cli, { dataset, version }) => cli.note(`The picture of ${dataset} is that of version ${version}.`),
})
