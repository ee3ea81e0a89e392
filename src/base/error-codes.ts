/** Every error code of the service: its HTTP status, and one sentence that the description and the documents print. */

interface ErrorKind {
  /** `invalid_credentials` is 422 where the session continues: see `statusOf`. */
  readonly status: number
  readonly meaning: string
}

function kind(status: number, meaning: string): ErrorKind {
  return { status, meaning }
}

/** Frozen: clients compare with the codes. */
export const ERROR_TABLE = {
  api_key_missing: kind(401, 'No API key came with the request'),
  api_key_malformed: kind(401, 'The `Authorization` header holds no API key of the right form'),
  api_key_invalid: kind(401, 'No such API key; it may have been rotated or deleted'),
  api_key_revoked: kind(401, 'The API key is revoked'),
  api_key_expired: kind(401, 'The API key has expired'),
  rate_limited: kind(
    429,
    'Too many requests within the minute, or too many attempts; `Retry-After` says when to try again',
  ),
  quota_exceeded: kind(429, 'The calls of the month are used up'),
  dataset_not_found: kind(404, 'There is no such dataset'),
  dataset_not_ingested: kind(404, 'The dataset is known but has no published version yet'),
  unknown_column: kind(422, 'A parameter names a column that the dataset does not have'),
  unknown_operator: kind(
    422,
    'A filter uses an operator that does not exist or does not fit the type of the column',
  ),
  unknown_parameter: kind(422, 'The address has a parameter that the route does not take'),
  duplicate_parameter: kind(422, 'A parameter is given twice'),
  invalid_value: kind(422, 'A value does not fit its parameter or column'),
  invalid_sort: kind(422, '`sort` is empty or names a column twice'),
  invalid_fields: kind(422, '`fields` is empty or names a column twice'),
  invalid_limit: kind(422, '`limit` is not an integer within its bounds'),
  invalid_offset: kind(422, '`offset` is not an integer within its bounds'),
  invalid_cursor: kind(422, 'The cursor was not issued by this service, or belongs to another query'),
  cursor_expired: kind(422, 'The dataset was replaced since the walk began'),
  cursor_conflict: kind(422, '`cursor` is combined with `offset`, `sort` or `count=true`'),
  invalid_format: kind(422, '`format` is not a format of this route'),
  invalid_aggregate: kind(
    422,
    'An entry of `group_by` or `measures` is empty, unknown, repeated, one too many, or does not fit the type of its column',
  ),
  too_many_groups: kind(422, 'The rows have more groups than can be told apart in one request'),
  range_not_satisfiable: kind(416, '`Range` starts past the end of the file'),
  too_many_rows: kind(422, 'A workbook was asked for, and more rows match than a sheet has'),
  invalid_body: kind(422, 'The request body is not JSON, or a field is missing, unknown or wrong'),
  not_found: kind(404, 'There is nothing at this address'),
  method_not_allowed: kind(405, 'The address exists, but not for this method; `Allow` names those it takes'),
  payload_too_large: kind(
    413,
    'The request body is larger than the route takes, or the drafts of the account hold too much',
  ),
  unauthenticated: kind(401, 'There is no session, or it has ended'),
  csrf_failed: kind(
    403,
    'The call comes from a page of another site, or lacks the CSRF token of the session',
  ),
  invalid_credentials: kind(
    401,
    'E-mail address and password do not match, or the current password is wrong',
  ),
  second_factor_required: kind(
    401,
    'Signing in takes a code of the second factor as well, or the account must turn one on first',
  ),
  email_taken: kind(409, 'An account with this e-mail address already exists'),
  weak_password: kind(422, 'The new password is too short, too long or too easy to guess'),
  token_invalid: kind(422, 'The link was used, replaced by a newer one, or has expired'),
  key_limit_reached: kind(409, 'The account has as many active keys as its plan allows'),
  key_not_found: kind(404, 'The account has no such key'),
  key_not_revoked: kind(409, 'An active key cannot be deleted; revoke it first'),
  key_not_active: kind(409, 'A revoked key cannot be rotated'),
  role_missing: kind(403, 'The account may not publish, or not in this domain'),
  scope_missing: kind(403, 'The API key may not publish, or not in this domain'),
  session_not_found: kind(404, 'The account has no such session'),
  draft_not_found: kind(404, 'The account has no such draft'),
  draft_not_ready: kind(409, 'The draft is not in a state in which this can be done'),
  draft_outdated: kind(409, 'Another version was published since the draft was read'),
  schema_drift: kind(409, 'The file does not have the columns of what is served'),
  too_many_quarantined: kind(409, 'Too many rows of the file cannot be imported'),
  too_many_mended: kind(409, 'Too many rows of the file have another width than the header and were mended'),
  too_few_rows: kind(409, 'Fewer rows than half of the served ones would be left'),
  personal_data: kind(409, 'The file seems to hold data about people'),
  duplicate_key: kind(409, 'Rows that are served have the primary key of rows of the file'),
  request_timeout: kind(408, 'The request body came too slowly'),
  version_not_found: kind(404, 'The dataset has no such version, or it is not kept any more'),
  version_served: kind(409, 'The version is served; publish another one first'),
  service_unavailable: kind(
    503,
    'The service cannot answer now: data cannot be read, or there is too much work at once; `Retry-After` says when to try again',
  ),
  internal_error: kind(500, 'The service failed; its log has the reason under the request id'),
} as const

export type ErrorCode = keyof typeof ERROR_TABLE

export const ERROR_CODES = Object.keys(ERROR_TABLE) as readonly ErrorCode[]
