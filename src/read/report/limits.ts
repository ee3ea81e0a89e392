/** As many columns as a spreadsheet can have. */
export const MOST_COLUMNS = 16_384
