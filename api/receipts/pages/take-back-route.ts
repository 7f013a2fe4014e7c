import type { Context } from 'hono';
import { cancellationForWallet } from '../../../chain/evm/wallet-forms.ts';
import { cancellationText } from '../../../chain/solana/messages/cancellation-text.ts';
import { AppError } from '../../../core/errors.ts';
import { inFamily, networkNamed } from '../../../core/networks.ts';
import { answerPage } from '../../../web/answer.ts';
import { setPageHeaders } from '../../../web/headers.ts';
import { readerOf } from '../../../web/language.ts';
import type { Site } from '../../../web/page.ts';
import { preferredType } from '../../http/accept-header.ts';
import type { ApiEnv } from '../../http/env.ts';
import { canTakeBack, type ReceiptPlace, type ReceiptView } from '../view.ts';
import { takeBackPage } from './take-back-page.ts';

/** Longer than a person takes to sign, and shorter than the ten minutes that a cancellation may last. */
const VALID_SECONDS = 540;

type TakeBackRoute = { now: () => number; site: Site; place: ReceiptPlace };

/**
 * `GET /receipts/{slug}/take-back`: a page, and for its script what a wallet has to sign now. Nothing of it is secret, and
 * nothing happens here.
 */
export function answerTakeBack(
  c: Context<ApiEnv>,
  route: TakeBackRoute,
  view: ReceiptView,
): Response | Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  if (preferredType(c.req.header('Accept'), ['text/html', 'application/json']) === 'application/json')
    return c.json(toSign(view, route));
  const reader = readerOf(c);
  return answerPage(c, { site: route.site, reader }, takeBackPage(view, reader.language));
}

function toSign(view: ReceiptView, { now, place }: TakeBackRoute): Record<string, unknown> {
  if (!canTakeBack(view)) throw new AppError('not_cancellable');
  const { txnId } = view;
  const validBefore = Math.floor(now() / 1000) + VALID_SECONDS;
  const caip2 = place.networks.find(({ network }) => network === view.network)?.caip2;
  if (caip2 === undefined) throw new Error(`a payment is on ${view.network}, which is not enabled`);
  const { family } = inFamily(networkNamed(view.network));
  switch (family) {
    case 'evm': {
      const chainId = Number(caip2.slice('eip155:'.length));
      const typedData = cancellationForWallet(chainId, { txnId, validBefore });
      return { family, chainId: `0x${chainId.toString(16)}`, typedData, validBefore };
    }
    case 'svm': {
      const text = cancellationText({ network: caip2, txnId, validBefore });
      return { family, text, validBefore };
    }
  }
}
