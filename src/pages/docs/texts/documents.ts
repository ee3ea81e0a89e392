import catalogsEn from '../../../../docs/catalogs.md' with { type: 'text' }
import ckanEn from '../../../../docs/ckan.md' with { type: 'text' }
import embeddingEn from '../../../../docs/embedding.md' with { type: 'text' }
import errorsEn from '../../../../docs/errors.md' with { type: 'text' }
import firstCallEn from '../../../../docs/first-call.md' with { type: 'text' }
import limitsEn from '../../../../docs/limits.md' with { type: 'text' }
import mcpEn from '../../../../docs/mcp.md' with { type: 'text' }
import pagingEn from '../../../../docs/paging.md' with { type: 'text' }
import publishingEn from '../../../../docs/publishing.md' with { type: 'text' }
import queryingEn from '../../../../docs/querying.md' with { type: 'text' }
import catalogsRo from '../../../../docs/ro/catalogs.md' with { type: 'text' }
import ckanRo from '../../../../docs/ro/ckan.md' with { type: 'text' }
import embeddingRo from '../../../../docs/ro/embedding.md' with { type: 'text' }
import errorsRo from '../../../../docs/ro/errors.md' with { type: 'text' }
import firstCallRo from '../../../../docs/ro/first-call.md' with { type: 'text' }
import limitsRo from '../../../../docs/ro/limits.md' with { type: 'text' }
import mcpRo from '../../../../docs/ro/mcp.md' with { type: 'text' }
import pagingRo from '../../../../docs/ro/paging.md' with { type: 'text' }
import publishingRo from '../../../../docs/ro/publishing.md' with { type: 'text' }
import queryingRo from '../../../../docs/ro/querying.md' with { type: 'text' }
import stabilityRo from '../../../../docs/ro/stability.md' with { type: 'text' }
import takeDownRo from '../../../../docs/ro/take-data-down.md' with { type: 'text' }
import toolsRo from '../../../../docs/ro/tools.md' with { type: 'text' }
import totalsRo from '../../../../docs/ro/totals.md' with { type: 'text' }
import stabilityEn from '../../../../docs/stability.md' with { type: 'text' }
import takeDownEn from '../../../../docs/take-data-down.md' with { type: 'text' }
import toolsEn from '../../../../docs/tools.md' with { type: 'text' }
import totalsEn from '../../../../docs/totals.md' with { type: 'text' }
import type { InEach } from '../../texts/texts.ts'

/** The documents of the guides, by the last part of their address, in reading order. */
export const DOCUMENTS: Readonly<Record<string, InEach<string>>> = {
  'first-call': [firstCallRo, firstCallEn],
  queries: [queryingRo, queryingEn],
  totals: [totalsRo, totalsEn],
  paging: [pagingRo, pagingEn],
  embedding: [embeddingRo, embeddingEn],
  tools: [toolsRo, toolsEn],
  errors: [errorsRo, errorsEn],
  limits: [limitsRo, limitsEn],
  stability: [stabilityRo, stabilityEn],
  catalogs: [catalogsRo, catalogsEn],
  ckan: [ckanRo, ckanEn],
  mcp: [mcpRo, mcpEn],
  publishing: [publishingRo, publishingEn],
  'take-data-down': [takeDownRo, takeDownEn],
}
