/**
 * For `DATABASE=catalog bun run migrations`: writes the SQL that leads from the last migration to the schema file
 * (`accounts`, `usage` or `catalog`; without DATABASE, `accounts`). The new file then joins the list in
 * `src/db/migrations.ts`. Needs no network and no database.
 */

import { defineConfig } from 'drizzle-kit'

const database = process.env.DATABASE ?? 'accounts'

export default defineConfig({
  dialect: 'sqlite',
  schema: `./src/db/${database}-schema.ts`,
  out: `./src/db/migrations/${database}`,
})
