/** Where the object store is, from settings and environment. */

import { CommandError } from '../../base/errors.ts'

export interface S3Place {
  readonly bucket: string
  /** Without slashes around it; may be empty. */
  readonly prefix: string
  /** `https://host`; undefined: Amazon's of the region. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
}

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/

/**
 * @param address `s3://bucket/prefix`
 * @param endpoint of a store other than Amazon's; empty: none
 * @param environment credentials and region are in `AWS_*`
 * @throws CommandError `usage` for what is not such an address, or without credentials
 */
export function readS3Place(
  address: string,
  endpoint: string,
  environment: Readonly<Record<string, string | undefined>>,
): S3Place {
  const [, bucket, rest = ''] = ADDRESS.exec(address) ?? []
  const prefix = rest.replaceAll(/^\/+|\/+$/g, '')
  if (bucket === undefined || (prefix !== '' && !PREFIX.test(prefix)))
    throw new CommandError('usage', `object_store is s3://bucket or s3://bucket/prefix, not ${address}`)
  if (endpoint !== '' && !isEndpoint(endpoint))
    throw new CommandError(
      'usage',
      `object_store_endpoint is https://host or http://host:port, not ${endpoint}`,
    )
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment
  if (accessKeyId === '' || secretAccessKey === '')
    throw new CommandError(
      'usage',
      `${address} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`,
    )
  const { AWS_SESSION_TOKEN: sessionToken, AWS_REGION, AWS_DEFAULT_REGION } = environment
  return {
    bucket,
    prefix,
    endpoint: endpoint === '' ? undefined : endpoint,
    region: AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1',
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
  }
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.search === ''
}
