import { expect, test } from 'bun:test'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import {
  findNearValues,
  findNearWords,
  findRespelledParts,
  findRespellings,
} from '../../src/engine/near-values.ts'
import type { Work } from '../../src/engine/turns.ts'
import { indexedSource } from '../support/memory-source.ts'

/** One row per text. */
function datasetOf(texts: readonly string[]): OpenDataset {
  return new OpenDataset(
    indexedSource(texts.length, [{ name: 'text', type: 'string', texts, indexOf: (row) => row }]),
  )
}

/** @returns what the work finds, and in how many steps of a few look-ups or comparisons each */
function finish<T>(work: Work<T>): { result: T; steps: number } {
  for (let steps = 0; ; steps++) {
    const step = work.next()
    if (step.done) return { result: step.value, steps }
  }
}

/** Numbers that are not steps of one another, as names. */
const MILLION = Array.from({ length: 300_000 }, (_, i) => `Strada ${(i * 7919) % 300_000} Nr ${i % 97}`)

test('a text with other diacritics is found in any dictionary', () => {
  const towns = [
    'Iași',
    'IASI',
    'Iasi-Nord',
    'Bistrița-Năsăud',
    'Łódź',
    'Brăila',
    'Braila',
    'Șimleu',
    'Simla',
  ]
  for (const texts of [towns, [...MILLION, ...towns]]) {
    const dataset = datasetOf(texts)
    const find = (text: string) => finish(findRespellings(dataset, 0, text)).result
    expect(find('iasi')).toEqual(['Iași'])
    expect(find('Bistrita-Nasaud')).toEqual(['Bistrița-Năsăud'])
    expect(find('lodz')).toEqual(['Łódź'])
    expect(find('Brâila')).toEqual(['Braila', 'Brăila'])
    expect(find('simleu')).toEqual(['Șimleu'])
    expect(find('Brăila')).toEqual(['Braila'])
    expect(find('nowhere')).toEqual([])
    expect(find('')).toEqual([])
  }
})

test('a part of a value with other diacritics is found as written, even among many values', () => {
  const towns = ['Județul Iași', 'Bistrița-Năsăud', 'Straße 12', 'Łódź Đakovo', 'Galați']
  for (const texts of [towns, [...MILLION, ...towns]]) {
    const dataset = datasetOf(texts)
    const find = (text: string, operator: 'contains' | 'starts_with') =>
      finish(findRespelledParts(dataset, 0, text, operator)).result
    expect(find('iasi', 'contains')).toEqual(['Iași'])
    expect(find('bistrita-n', 'contains')).toEqual(['Bistrița-N'])
    expect(find('dakovo', 'contains')).toEqual(['Đakovo'])
    expect(find('galat', 'starts_with')).toEqual(['Galaț'])
    expect(find('galati', 'starts_with')).toEqual(['Galați'])
    expect(find('lod', 'starts_with')).toEqual(['Łód'])
    expect(find('Iași', 'contains')).toEqual([])
    expect(find('nowhere', 'contains')).toEqual([])
  }
})

test('a letter that folds to two is one character of a part', () => {
  const dataset = datasetOf(['Straße 12'])
  const find = (text: string) => finish(findRespelledParts(dataset, 0, text, 'contains')).result
  expect(find('strasse 1')).toEqual(['Straße 1'])
  expect(find('stras')).toEqual(['Straß'])
})

test('the nearest value is found among few values wherever the slip is, among many after its beginning', () => {
  const few = datasetOf(['Cluj', 'Iași', 'Galați', 'Alba'])
  expect(finish(findNearValues(few, 0, 'Kluj')).result).toEqual(['Cluj'])
  expect(finish(findNearValues(few, 0, 'galatzi')).result).toEqual(['Galați'])
  expect(finish(findNearValues(few, 0, 'iasi')).result).toEqual(['Iași'])
  expect(finish(findNearValues(few, 0, 'zzzzzz')).result).toEqual([])
  const many = datasetOf([...MILLION, 'Bucureștii Noi'])
  expect(finish(findNearValues(many, 0, 'bucuresti nou')).result).toEqual(['Bucureștii Noi'])
  expect(finish(findNearValues(datasetOf([]), 0, 'a')).result).toEqual([])
})

test('the nearest word is found as written', () => {
  const dataset = datasetOf(['Mașini de spălat', 'Părți de vehicule', 'țesături'])
  expect(finish(findNearWords(dataset, 'spalaat')).result).toEqual(['spălat'])
  expect(finish(findNearWords(dataset, 'tesaturl')).result).toEqual(['țesături'])
  const withCodes = datasetOf(['Clasa C', 'CLUJ'])
  expect(finish(findNearWords(withCodes, 'cljj')).result).toEqual(['CLUJ'])
  const many = datasetOf([...MILLION, 'Părți de vehicule'])
  expect(finish(findNearWords(many, 'vehicuel')).result[0]).toBe('vehicule')
})

test('the work is the same few steps, however many values there are', () => {
  const dataset = datasetOf(MILLION)
  for (const text of ['S', 'Strada', 'Strada 1', 'Strada 12345 Nr 9x', 'x', 'Strada '.repeat(50)]) {
    expect(finish(findNearValues(dataset, 0, text)).steps).toBeLessThan(450)
  }
  expect(finish(findNearWords(dataset, 'stradaa')).steps).toBeLessThan(100)
})
