/** What a service with `acme_host` does beside answering: it follows its certificate, and holds port 80. */

import type { App } from '../../app.ts'
import type { Config } from '../../base/config/config.ts'
import { listenForHttp } from '../../server/listening/http-port.ts'
import type { Listening } from '../../server/listening/listen.ts'
import { DataDir } from '../../store/files/data-dir.ts'
import { type AcmeRecords, acmeRecords } from '../../upkeep/certificates/acme-records.ts'
import { CertificateRenewal, retryRenewal } from '../../upkeep/certificates/renewal.ts'
import {
  ensureCertificate,
  fetchCertificate,
  followCertificate,
} from '../../upkeep/certificates/served-certificate.ts'

/** Before anything listens with it: a service that waits for its database, or a supervisor that tries the port. */
export async function provideCertificate({ acme_host: host, data }: Config, now: Date): Promise<void> {
  if (host !== null) await ensureCertificate(new DataDir(data), host, now)
}

/** A service whose certificate comes by ACME. */
export class AcmeService {
  readonly records: AcmeRecords
  readonly host: string
  readonly #app: App
  readonly #ends: (() => unknown)[] = []

  private constructor(app: App, host: string) {
    this.#app = app
    this.host = host
    this.records = acmeRecords(app.config, app.dataDir, app.accounts)
  }

  /**
   * Has the certificate of all nodes in the folder, before the service listens with it; undefined without `acme_host`.
   * @throws CommandError `failed` when the records cannot be read
   */
  static async open(app: App): Promise<AcmeService | undefined> {
    const { acme_host: host } = app.config
    if (host === null) return undefined
    const acme = new AcmeService(app, host)
    await fetchCertificate(acme.records, app.dataDir)
    return acme
  }

  /** @throws CommandError `failed` when port 80 cannot be taken */
  start(listening: Pick<Listening, 'reloadTls'>): void {
    const { host: hostname, acme_http_port: port, reuse_port: reusePort, base_url } = this.#app.config
    const { host, records } = this
    // Behind a machine that passes ports on, people know the service by another port than it listens on.
    const origin = new URL(base_url ?? `https://${host}`).origin
    const http = listenForHttp({
      hostname,
      port,
      reusePort,
      host,
      origin,
      proof: () => records.read('challenge'),
    })
    this.#ends.push(
      followCertificate(records, this.#app, (wasTrusted) => listening.reloadTls(wasTrusted)),
      http.stop,
    )
    this.#app.log.info(
      { host, port: http.port },
      'certificates are asked for by the name; http leads to https',
    )
  }

  /** The work of the one process that renews. */
  renewal(): CertificateRenewal {
    return new CertificateRenewal({ ...this.#app, records: this.records, host: this.host })
  }

  /** Orders at once what failed before. Never throws. */
  async retry(): Promise<void> {
    const failed = (error: unknown) =>
      this.#app.log.error({ err: error }, 'the certificate could not be asked for')
    await retryRenewal(this.records).catch(failed)
  }

  stop(): void {
    for (const end of this.#ends) end()
  }
}
