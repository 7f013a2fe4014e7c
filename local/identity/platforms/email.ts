import { startMailbox } from '../mailbox.ts';
import type { StartStandIn } from './stand-in.ts';

/** The mail of all addresses, on one page. */
export const startEmail: StartStandIn = async ({ keep, now }) => {
  const { smtpUrl, url } = await keep(startMailbox({ now }));
  return { identity: { smtpUrl, mailFrom: 'pennypost@pennypost.example' }, pages: { mailbox: url } };
};
