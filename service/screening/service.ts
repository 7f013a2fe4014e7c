import { z } from 'zod';
import type { ScreeningAnswer, ScreeningQuestion } from '../../core/screening/screening.ts';
import { formatUsdc, microUsdc } from '../../core/money.ts';

export type ScreeningService = { url: string; token: string | undefined; timeoutMs: number };

const ANSWER_LENGTH_MAX = 64 * 1024;
const answerSchema = z.object({ allow: z.boolean(), reference: z.string().max(200).optional() });

/** Asks an operator's own service. Throws for anything but an answer in its form, in its time. */
export async function askService(
  { url, token, timeoutMs }: ScreeningService,
  { stage, subject, accounts, names, amountMicroUsdc }: ScreeningQuestion,
): Promise<ScreeningAnswer> {
  const amount = amountMicroUsdc === null ? null : formatUsdc(microUsdc(amountMicroUsdc));
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ stage, subject, accounts, names, amount }),
  });
  if (!answer.ok) throw new Error(`the screening service answers ${answer.status}`);
  const { allow, reference = null } = answerSchema.parse(JSON.parse(await readShort(answer)));
  return { verdict: allow ? 'allowed' : 'refused', source: 'service', detail: reference };
}

async function readShort({ body }: Response): Promise<string> {
  let text = '';
  if (body === null) return text;
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.length > ANSWER_LENGTH_MAX) throw new Error('the screening service answers with too much');
  }
  return text;
}
