import { startWebHost } from '../web-host.ts';
import type { StartStandIn } from './stand-in.ts';

/** Every website, and the name server that knows them all. */
export const startWeb: StartStandIn = async ({ keep }) => {
  const { dnsServer, toHostUrl, url } = await keep(startWebHost());
  return { identity: { dnsServers: [dnsServer] }, toHostUrl, pages: { website: url } };
};
