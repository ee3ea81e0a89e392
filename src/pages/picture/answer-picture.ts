import { ApiError } from '../../base/errors.ts'
import { notModified } from '../../http/etag.ts'
import { PUBLIC_HEADERS } from '../../http/headers.ts'
import { respond } from '../../http/respond.ts'
import { admitReader, type PageAccess } from '../dataset/ask-rows.ts'
import type { View } from '../layout/view.ts'
import { pictureName } from './draw-pictures.ts'

/**
 * Answers `GET /datasets/{id}/summary.png` with the picture of the served version. A missing one, as on another node or
 * after a restore, is drawn by a separate process while the request waits.
 * @throws ApiError `dataset_not_found`, as `access.admit`; `service_unavailable` while other whole versions are read
 */
export async function answerPicture(view: View, id: string, access: PageAccess): Promise<Response> {
  const { app, exchange } = view
  const served = await admitReader(view, id, access)
  const name = pictureName(served, app.catalog.record(id)!, view.language)
  const { files } = app.dataDir
  if (files.find(name) === undefined)
    await app.wholeFiles.draw(id).catch((error: unknown) => {
      if (error instanceof ApiError) throw error
      app.log.warn({ err: error, dataset: id }, 'a picture could not be drawn')
    })
  const found = files.find(name)
  if (found === undefined) throw new ApiError('not_found', `There is no picture of ${id}.`)
  const headers = { ...PUBLIC_HEADERS, Vary: 'Accept-Language', ETag: `"${found.sha256.slice(0, 32)}"` }
  const bytes = await Bun.file(found.path).bytes()
  return (
    notModified(exchange, headers.ETag, headers) ??
    respond(exchange, 200, { ...headers, 'Content-Type': 'image/png' }, bytes)
  )
}
