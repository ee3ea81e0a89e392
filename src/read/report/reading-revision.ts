/**
 * Increased by one whenever the same bytes with the same options may be read differently. Every version's record has it: a
 * file that comes again is read again, and published, if it was read by another revision.
 */
export const READING_REVISION = 6
