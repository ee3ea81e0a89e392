/** Checks the certificate from the settings or from ACME. The certificate of a proxy is not checked. */

import { readTls } from '../../base/config/tls-files.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { tlsPaths } from '../../server/listening/tls-paths.ts'
import { CERTIFICATE_NOTICE_MS } from '../../upkeep/alerts.ts'
import { acmeRecords, recordsInFolder } from '../../upkeep/certificates/acme-records.ts'
import { failureOf, type RenewalState, readRenewal } from '../../upkeep/certificates/renewal.ts'
import { withAccounts } from '../cli/folder.ts'
import { type Answer, fine, note, problem, type Site, warning } from './finding.ts'

const WHY = 'Clients refuse a certificate that has ended or does not fit its key.'

/** When the certificate ends, and why no new one is issued. */
export async function checkCertificate(site: Site): Promise<Answer> {
  const { config, program } = site
  const { acme_host: host } = config
  const remedy =
    host === null
      ? 'systemctl reload izvor   (after the files of tls_cert and tls_key were renewed)'
      : 'systemctl reload izvor   (asks for a certificate again, at once)'
  try {
    const state = host === null ? null : await readState(site)
    const failed = state && failureOf(state)
    if (failed) {
      const what = `${failed.directory} issued no certificate for ${failed.host}: ${failed.reason} (next attempt ${failed.next}).`
      const still = state.issuer === null ? problem : warning
      return still(what, 'The service keeps the certificate that it has, until it ends.', remedy)
    }
    if (state?.issuer === null)
      return note(`No certificate was issued for ${host} yet.`, WHY, `${program} serve`)
    const files = readTls(tlsPaths(config))
    if (files === undefined) return
    const left = files.ends.getTime() - site.now().getTime()
    const day = files.ends.toISOString().slice(0, 10)
    const name = host === null ? config.tls_cert : `The certificate for ${host}`
    if (left <= 0) return problem(`${name} ended on ${day}.`, WHY, remedy)
    if (left < CERTIFICATE_NOTICE_MS) return warning(`${name} ends on ${day}.`, WHY, remedy)
    return fine(`${name} is good until ${day}.`)
  } catch (error) {
    return problem(`${explainFailure(error)}.`, WHY, remedy)
  }
}

/** The state of the service's renewals. */
function readState({ config, folder }: Site): Promise<RenewalState> {
  if (config.database_url === null) return readRenewal(recordsInFolder(folder))
  return withAccounts(config, folder, (accounts) => readRenewal(acmeRecords(config, folder, accounts)))
}
