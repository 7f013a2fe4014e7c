import { Hono, type Context } from 'hono';
import { findLanguage } from '../../core/languages.ts';
import { createAssets } from '../../web/assets.ts';
import { answerPage } from '../../web/answer.ts';
import { withPrivatePages } from '../../web/headers.ts';
import { onlyOwnForm, smallForm } from '../../web/own-page.ts';
import type { Site } from '../../web/page.ts';
import { openFile } from '../conversation/files.ts';
import { depositAddressesOf } from '../wallets/deposits.ts';
import { pageSiteOf } from '../shared/page-site.ts';
import { readVisitor } from '../web/visitor.ts';
import { depositPage } from '../files/deposit-page.ts';
import { visitOf, foreign, notFound, type Sentence, type Status, type WalletPagesDeps, type Work } from './visit.ts';
import { answerFile } from '../files/files.ts';
import { answerEnd, answerLeave, answerOnly, answerTipPage, answerUnlock, answerWallets, answerWish } from './purse.ts';
import { answerLink, answerLinked, answerMove, answerMoved, answerMoving } from './link-answers.ts';
import { answerSignOut, askSignOut } from './sign-out.ts';
import { answerMovements, answerStatement } from './statement.ts';
import { answerAddPasskey, answerAsk, answerEndPasskey, answerOpenWithPasskey } from './passkey-answers.ts';
import { answerPay, answerPayConfirm, answerSending, answerUndo } from './send-answers.ts';
import { answerCancel, answerReview, answerSend, answerWithdrawal } from './take-out.ts';
import { emptyPage } from './wallets-page.ts';

/** Each look asks the networks what is there. A page that follows a withdrawal asks only us, and is not counted. */
const LOOKS_PER_MINUTE = 60;

/** Each answers a form; a reload of its page leads back. */
const FORMS = {
  '/review': answerReview,
  '/send': answerSend,
  '/only': answerOnly,
  '/cancel': answerCancel,
  '/end': answerEnd,
  '/leave': answerLeave,
  '/signed-out': answerSignOut,
  '/unlock': answerUnlock,
  '/page': answerTipPage,
  '/wish': answerWish,
  '/statement': answerStatement,
  '/move': answerMove,
  '/pay': answerPay,
  '/pay/confirm': answerPayConfirm,
  '/pay/undo': answerUndo,
  '/passkeys/add': answerAddPasskey,
  '/passkeys/open': answerOpenWithPasskey,
  '/passkeys/end': answerEndPasskey,
} as const satisfies Record<string, Work>;

/** What a person keeps here, how they send it on and get it out, to be mounted at `/purse`. Needs no script. */
export function createWalletPages(deps: WalletPagesDeps): Hono {
  const app = new Hono();
  const rate = deps.limits.perMinute('wallet looks', LOOKS_PER_MINUTE);
  const { publicUrl: baseUrl, operator } = deps;
  const assets = createAssets('/purse/assets');
  const site: Site = { baseUrl, operator, isPlayMoney: deps.faucet !== undefined, assets };
  const refuse = (status: Status, sentence: Sentence) => (context: Context) =>
    visitOf(deps, site, context).refuse(status, sentence);

  app.use('*', withPrivatePages);
  app.get('/assets/:version/:name', (context) => assets.answer(context) ?? refuse(404, notFound)(context));
  /** A visitor without our cookie has no wallet either. */
  const forHolder =
    (work: Work, isCounted = true) =>
    async (context: Context) => {
      const visit = visitOf(deps, site, context);
      const holderId = readVisitor(context, deps.isSecure)?.id;
      if (holderId === undefined)
        return visit.show(emptyPage(visit.site, deps.signInPlatforms, deps.passkeys !== null));
      if (isCounted && !rate.allows(holderId)) return visit.refuse(429, ({ tooFast }) => tooFast);
      return work(visit, context, holderId);
    };
  for (const [path, work] of Object.entries(FORMS)) {
    app.post(path, onlyOwnForm(deps, refuse(403, foreign)), smallForm(refuse(413, foreign)), forHolder(work));
    app.get(path, (context) => context.redirect('/purse', 303));
  }
  app.post('/passkeys/ask', onlyOwnForm(deps, refuse(403, foreign)), smallForm(refuse(413, foreign)), (context) => {
    const holderId = readVisitor(context, deps.isSecure)?.id ?? null;
    const visit = visitOf(deps, site, context);
    if (holderId !== null && !rate.allows(holderId)) return visit.refuse(429, ({ tooFast }) => tooFast);
    return answerAsk(visit, context, holderId);
  });
  app.get('/', forHolder(answerWallets));
  app.get('/sign-out', forHolder(askSignOut, false));
  app.get('/movements', forHolder(answerMovements));
  app.get('/withdrawals/:id', forHolder(answerWithdrawal, false));
  app.get('/sends/:id', forHolder(answerSending, false));
  const linked = [onlyOwnForm(deps, refuse(403, foreign)), smallForm(refuse(413, foreign))] as const;
  app.get('/link/:secret', (context) => answerLink(visitOf(deps, site, context), context));
  app.post('/link/:secret', ...linked, (context) => answerLinked(visitOf(deps, site, context), context));
  app.get('/moved', (context) => answerMoving(visitOf(deps, site, context)));
  app.post('/moved', ...linked, (context) => answerMoved(visitOf(deps, site, context), context));
  // No cookie is asked for: who holds the address got it from the bot, in another program perhaps.
  app.get('/files/:secret', async (context) => (await answerFile(deps, context)) ?? refuse(404, notFound)(context));
  app.get('/deposit/:secret', (context) => answerDeposit(deps, site, context));
  app.all('*', refuse(404, notFound));
  app.onError((error, context) => {
    deps.log.error({ error: String(error) }, 'a wallet page failed');
    return refuse(500, ({ somethingWrong }) => somethingWrong)(context);
  });
  return app;
}

/** In the language of the chat that the link stood in. */
async function answerDeposit(deps: WalletPagesDeps, site: Site, context: Context): Promise<Response> {
  const file = await openFile(deps, context.req.param('secret') ?? '');
  if (file?.kind !== 'deposit_page' || file.walletId === null)
    return visitOf(deps, site, context).refuse(404, notFound);
  const own = pageSiteOf(context, site, findLanguage(file.language));
  return answerPage(context, own, depositPage(own, await depositAddressesOf(deps, file.walletId)));
}
