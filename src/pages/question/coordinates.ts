import type { DescriptorColumn } from '../../store/catalog/record.ts'

export interface Coordinates {
  readonly latitude: string
  readonly longitude: string
}

const NAMES = {
  latitude: { words: ['lat', 'latitude', 'latitudine', 'latitudinea'], most: 90 },
  longitude: { words: ['lon', 'lng', 'long', 'longitude', 'longitudine', 'longitudinea'], most: 180 },
} as const

type Column = Pick<DescriptorColumn, 'name' | 'title' | 'type' | 'min' | 'max'>

/** Finds the columns of latitude and longitude, by a word of their name or title and by their values. */
export function findCoordinates(columns: readonly Column[]): Coordinates | undefined {
  const [latitude, longitude] = (['latitude', 'longitude'] as const).map((kind) =>
    columns.find((column) => isDegrees(column, NAMES[kind])),
  )
  return latitude && longitude && { latitude: latitude.name, longitude: longitude.name }
}

function isDegrees(
  { name, title, type, min, max }: Column,
  { words, most }: (typeof NAMES)[keyof typeof NAMES],
) {
  if ((type !== 'decimal' && type !== 'integer') || typeof min !== 'number' || typeof max !== 'number')
    return false
  const written = `${name} ${title ?? ''}`.toLowerCase().split(/[^a-z]+/)
  return min >= -most && max <= most && words.some((word) => written.includes(word))
}
