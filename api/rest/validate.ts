import type { Context } from 'hono';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { neverPresentedBody } from '../payments/answers.ts';
import { findValidated } from '../payments/validation.ts';
import { hasBotToken } from '../http/caller.ts';
import type { ApiEnv } from '../http/env.ts';
import { proofHeaderOf } from '../payments/proof-header.ts';
import { readGetBody } from '../http/read-body.ts';

/** `GET /payments/validate`: what became of a payment, by any of its names or by its proof. */
export async function validatePayment(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'settings' | 'store' | 'networks'>,
): Promise<Response> {
  const found = await findValidated(dependencies, {
    fields: { ...(await readGetBody(c)), ...c.req.query() },
    proof: proofHeaderOf(c),
    isBot: hasBotToken(c, dependencies.settings.botApiToken),
  });
  return found.kind === 'found' ? c.json(found.answer) : answerNeverPresented(c, found.message);
}

/** No terms are offered: this address sells nothing. */
function answerNeverPresented(c: Context<ApiEnv>, msg: string): Response {
  return c.json(neverPresentedBody(c.get('requestId'), msg), 402);
}
