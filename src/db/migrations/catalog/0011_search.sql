-- Words with their stems, by what has them. The index is made again when the catalog is opened (store/catalog/search/search-index.ts).
DROP TABLE search;
CREATE VIRTUAL TABLE search USING fts5(
  title, keywords, description, publisher, columns, texts,
  content = '', contentless_delete = 1, tokenize = 'ascii', detail = column, prefix = '1 2'
);
CREATE VIRTUAL TABLE search_words USING fts5vocab(search, 'row');
ALTER TABLE versions ADD COLUMN search_texts text;
