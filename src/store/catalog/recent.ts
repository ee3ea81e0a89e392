/** The condition of a query over `datasets d`; its parameter is a moment as `imported_at` is written, or null. */
export const IS_RECENT = `(@since IS NULL OR @since <=
  (SELECT imported_at FROM versions WHERE dataset_id = d.id AND version = d.served_version))`
