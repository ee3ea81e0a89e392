import { textTable } from './texts.ts'

/** The page of the service's state, and of what it depends on. */
export const STATUS_TEXTS = textTable({
  title: ['Starea serviciului', 'State of the service'],
  lead: [
    'Ce răspunde acum acest serviciu despre el însuși.',
    'What this service says of itself at this moment.',
  ],
  started: ['pornit', 'started'],
  version: ['versiune', 'version'],
  part: ['Parte', 'Part'],
  state: ['Stare', 'State'],
  remark: ['Observație', 'Remark'],
  forPrograms: ['Pentru programe', 'For programs'],
})

export const STATE_TEXTS = textTable({
  ok: ['în regulă', 'in order'],
  degraded: ['cu probleme', 'with problems'],
  unavailable: ['indisponibil', 'not available'],
})

export const PART_TEXTS = textTable({
  service: ['Serviciul', 'Service'],
  accounts: ['Conturi și chei', 'Accounts and keys'],
  catalog: ['Catalog', 'Catalog'],
  databases: ['Baze de date', 'Databases'],
  usage: ['Statistici de utilizare', 'Usage figures'],
  disk: ['Spațiu pe disc', 'Disk space'],
  datasets: ['Seturi de date', 'Datasets'],
  refresh: ['Actualizări din surse', 'Refreshes from sources'],
  backup: ['Copii de siguranță', 'Backups'],
})
