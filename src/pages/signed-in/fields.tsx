/** @jsxImportSource preact */
import { Field, type FieldOptions } from './form.tsx'
import type { Values } from './refusals.ts'

type FieldRow<Texts> = Omit<FieldOptions, 'name' | 'label' | 'hint' | 'value'> &
  ({ readonly name: keyof Texts & string } | { readonly name: string; readonly says: keyof Texts & string })

interface FieldsOptions<Texts> {
  readonly texts: Texts
  /** The values of the fields, by name; by default all are empty. */
  readonly values?: object | undefined
  readonly rows: readonly FieldRow<Texts>[]
}

/** A form's fields. `texts` has labels under the field's name, or `says`, and hints under the same with `Hint` added. */
export function Fields<Texts extends object>({ texts, values = {}, rows }: FieldsOptions<Texts>) {
  const words = texts as Readonly<Record<string, string | undefined>>
  const held = values as Readonly<Record<string, string | null | undefined>>
  return rows.map(({ name, ...row }) => {
    const { says = name, ...rest } = row as { readonly says?: string }
    const value = held[name] ?? ''
    return (
      <Field
        key={name}
        {...rest}
        name={name}
        label={words[says]!}
        hint={words[`${says}Hint`]}
        value={value}
      />
    )
  })
}

/** The values of these fields; null for an empty one. */
export function readFields<Name extends string>(
  values: Values,
  rows: readonly { readonly name: Name }[],
): Record<Name, string | null> {
  const read = rows.map(({ name }) => [name, values[name]?.trim() || null])
  return Object.fromEntries(read) as Record<Name, string | null>
}

export function NewPassword(options: Required<Pick<FieldOptions, 'name' | 'label' | 'hint'>>) {
  return <Field {...options} type="password" autoComplete="new-password" />
}

/** The field for the password that confirms the user's identity. */
export function Password(options: { of: string; label: string; name?: string }) {
  const { of, label, name = 'password' } = options
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={of} readOnly hidden />
      <Field name={name} type="password" label={label} autoComplete="current-password" />
    </>
  )
}
