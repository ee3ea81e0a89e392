/** The definitions that come with the program, embedded in it. A test compares this list with the folder. */

import salaries2025 from '../../../data/definitions/economy/2025_salarii_aug_xlsx.json' with { type: 'json' }
import trade2023 from '../../../data/definitions/economy/comert_international_cu_bunuri_2023.json' with {
  type: 'json',
}
import trade2024 from '../../../data/definitions/economy/comert_international_cu_bunuri_2024.json' with {
  type: 'json',
}
import jobseekers2019 from '../../../data/definitions/economy/eures_pclm_judete_2019.json' with {
  type: 'json',
}
import jobseekers2023 from '../../../data/definitions/economy/eures_pclm_judete_sem1_2023.json' with {
  type: 'json',
}
import pupils2015 from '../../../data/definitions/education/elevi_2015_2016.json' with { type: 'json' }
import siruta from '../../../data/definitions/geospatial/siruta.json' with { type: 'json' }
import vehicles from '../../../data/definitions/transport/vehicle_registry.json' with { type: 'json' }
import type { Definition } from '../../read/definition/definition.ts'

/** As written in the files: a test parses each of them. */
const SHIPPED = [
  salaries2025,
  trade2023,
  trade2024,
  jobseekers2019,
  jobseekers2023,
  pupils2015,
  siruta,
  vehicles,
] as readonly unknown[] as readonly Definition[]

/** All of them, ordered by domain, then id. */
export function shippedDefinitions(): readonly Definition[] {
  return SHIPPED
}

/** The shipped definition of a dataset; without a domain, the one of that id. */
export function findDefinition(domain: string | undefined, id: string): Definition | undefined {
  return SHIPPED.find(
    (definition) => definition.id === id && (domain === undefined || definition.domain === domain),
  )
}
