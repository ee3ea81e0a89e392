/** What a byte means to the splitter: entries of its byte tables. */

export const ORDINARY = 0
export const DELIMITER = 1
export const LF = 2
export const CR = 3
export const QUOTE = 4
