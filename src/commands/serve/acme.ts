/** What a service with `acme_host` does besides answering: it follows its certificate, and holds port 80. */

import type { App } from '../../app.ts'
import type { Config } from '../../base/config/config.ts'
import { readPem } from '../../base/config/tls-files.ts'
import { listenForHttp } from '../../server/listening/http-port.ts'
import { type Listening, listen } from '../../server/listening/listen.ts'
import { DataDir } from '../../store/files/data-dir.ts'
import { type AcmeRecords, acmeRecords } from '../../upkeep/certificates/acme-records.ts'
import { CertificateRenewal, retryRenewal } from '../../upkeep/certificates/renewal.ts'
import {
  CertificateFollower,
  ensureCertificate,
  fetchCertificate,
} from '../../upkeep/certificates/served-certificate.ts'

/**
 * Makes sure that there is a certificate before anything listens with it: a service that waits for its database, or a
 * supervisor that tries the port.
 * @throws CommandError `failed` when `acme_ca` cannot be read
 */
export async function provideCertificate(config: Config, now: Date): Promise<void> {
  const { acme_host: host, acme_ca: ca, data } = config
  if (host === null) return
  if (ca !== null) readPem(ca)
  await ensureCertificate(new DataDir(data), host, now)
}

export type AcmeService = ReturnType<typeof startAcme>

/**
 * Listens; if the settings name an ACME host, with its certificate, and on port 80 as well.
 * @throws CommandError `failed` when an address cannot be taken, or the records of nodes cannot be read
 */
export async function beginListening(app: App) {
  const { acme_host: host } = app.config
  if (host === null) return { listening: listen(app), acme: null }
  const records = acmeRecords(app.config, app.dataDir, app.accounts)
  await fetchCertificate(records, app.dataDir)
  const http = holdHttpPort(app, records, host)
  try {
    const listening = listen(app, http)
    return { listening, acme: startAcme(app, listening, { records, host, http }) }
  } catch (error) {
    await http.stop()
    throw error
  }
}

function holdHttpPort({ config }: App, records: AcmeRecords, host: string) {
  const { host: hostname, port: httpsPort, acme_http_port: port, reuse_port: reusePort, base_url } = config
  // If a router forwards ports, people know the service by another port than it listens on.
  const base = base_url === null ? null : new URL(base_url)
  const { origin } = base?.hostname === host ? base : new URL(`https://${host}:${httpsPort}`)
  const proof = () => records.read('challenge')
  return listenForHttp({ hostname, port, reusePort, host, origin, proof })
}

interface Held {
  readonly records: AcmeRecords
  readonly host: string
  readonly http: ReturnType<typeof listenForHttp>
}

function startAcme(app: App, listening: Listening, { records, host, http }: Held) {
  const onChange = (wasTrusted: boolean) => listening.reloadTls(wasTrusted)
  const follower = new CertificateFollower({ ...app, records, onChange })
  follower.start()
  app.log.info({ host, port: http.port }, 'certificates are requested by ACME; http is redirected to https')
  return {
    records,
    /** For the one process that renews. */
    renewal: () => new CertificateRenewal({ ...app, records, host, onIssued: () => void follower.runDue() }),
    /** Requests at once a certificate that failed before. Never throws. */
    retry: () =>
      retryRenewal(records).catch((error: unknown) =>
        app.log.error({ err: error }, 'the certificate could not be requested'),
      ),
    stop: () => Promise.all([http.stop(), follower.stop()]),
  }
}
