/** The setup on a page of the operators (contract 15): `izvor setup` in the browser. */

import { noteEvent } from '../../../accounts/audit/audit.ts'
import type { App } from '../../../app.ts'
import { ApiError, CommandError } from '../../../base/errors.ts'
import { ownProgram } from '../../../base/process/own-command.ts'
import { answerSetupPage, SETUP_FIELDS, SETUP_PATH } from '../../../pages/setup/setup-page.tsx'
import type { SetupPlace } from '../../../upkeep/setup/step.ts'
import { STEPS } from '../../../upkeep/setup/steps.ts'
import { takeStep } from '../../../upkeep/setup/take-step.ts'
import { SETUP_TEXTS } from '../../../upkeep/setup/texts/setup-texts.ts'
import { refuseForeignForm } from '../../admission/session.ts'
import { form, page, type Route } from '../../declaration/route.ts'
import { by } from './accounts.ts'
import { forOperator } from './for-operator.ts'

const STEP_PATH = `${SETUP_PATH}/:step` as const

export const SETUP_ROUTES: readonly Route[] = [
  ...[SETUP_PATH, STEP_PATH].map((path) =>
    page(
      path,
      ({ app, exchange }) =>
        atSetup(app, exchange, async (view, session) => answerSetupPage(view, session, placeOf(app))),
      'operator',
    ),
  ),
  form(
    STEP_PATH,
    async ({ app, exchange, params }, fields) =>
      atSetup(app, exchange, async (view, session) => {
        refuseForeignForm(exchange, fields, session)
        const step = STEPS.find(({ name }) => name === params.step)
        const way = Number(fields.get(SETUP_FIELDS.way) ?? 0)
        if (step?.ways[way] === undefined)
          throw new ApiError('not_found', 'There is no such step of the setup.')
        const answers = { way, texts: Object.fromEntries(fields), anyway: fields.has(SETUP_FIELDS.anyway) }
        // A backup takes long.
        const taken = await exchange.withoutIdleLimit(() =>
          takeStep(placeOf(app), step, answers, SETUP_TEXTS[view.language]),
        )
        const detail = [step.name, ...taken.changed].join(' ')
        const entry = { actor: by(session), event: 'settings_changed', detail } as const
        if (taken.saved) await noteEvent(app.accounts, entry, app.now())
        return answerSetupPage(view, session, placeOf(app), { step, answers, taken })
      }),
    'operation',
  ),
]

/** @throws ApiError as `forOperator`; `service_unavailable` for a settings file with which no service could start */
function atSetup(...[app, exchange, answer]: Parameters<typeof forOperator>): Promise<Response> {
  return forOperator(app, exchange, async (...who) => {
    try {
      return await answer(...who)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      throw new ApiError('service_unavailable', `The settings cannot be read: ${error.message}.`)
    }
  })
}

function placeOf({ settings, dataDir, now }: App): SetupPlace {
  return {
    read: (changes) => settings.read(changes),
    takeUp: () => settings.takeUp(),
    folder: dataDir,
    command: ownProgram,
    now,
  }
}
