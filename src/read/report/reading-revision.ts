/**
 * Raised by one whenever the same bytes with the same options may be read otherwise than before. It stands in the record of
 * every version: a file that comes again is read again, and published, when it was read by another revision.
 */
export const READING_REVISION = 6
