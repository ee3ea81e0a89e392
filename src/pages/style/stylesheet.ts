/** The one stylesheet of all pages, joined from its topics. The order counts: of two equal selectors the later one wins. */

import account from './account.css' with { type: 'text' }
import base from './base.css' with { type: 'text' }
import catalog from './catalog.css' with { type: 'text' }
import charts from './charts.css' with { type: 'text' }
import code from './code.css' with { type: 'text' }
import consoleStyle from './console.css' with { type: 'text' }
import dataset from './dataset.css' with { type: 'text' }
import desk from './desk.css' with { type: 'text' }
import docs from './docs.css' with { type: 'text' }
import facets from './facets.css' with { type: 'text' }
import forms from './forms.css' with { type: 'text' }
import layout from './layout.css' with { type: 'text' }
import parts from './parts.css' with { type: 'text' }
import summary from './summary.css' with { type: 'text' }
import tables from './tables.css' with { type: 'text' }

const ELEMENTS = [base, layout, parts, forms, tables, code, charts]
const PAGES = [catalog, docs, account, consoleStyle, dataset, facets, summary, desk]

export const STYLESHEET = [...ELEMENTS, ...PAGES].join('\n')
