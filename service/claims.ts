import { randomBytes } from 'node:crypto';
import { createClaims } from '../api/claims/flow.ts';
import type { AddressChecks, PersonalAddresses } from '../api/claims/dependencies.ts';
import type { Collecting } from '../api/environment/dependencies.ts';
import { createIds, type RandomBytes } from '../core/ids.ts';
import type { SharedParts } from './shared-parts.ts';
import { checkAddressOn, personalAddressOf } from './networks.ts';
import type { ServiceOptions } from './options.ts';
import { createScreen } from './screening/screen.ts';
import { openTransferIds } from './transfer-ids.ts';

/** In local mode all callers share one address. */
const MAILS_PER_IP_HOUR_MAX = 20;
const LOCAL_MAILS_PER_IP_HOUR_MAX = 1_000;
const OPENED_PER_IP_MINUTE = 20;

/** How recipients collect, from the parts that the process shares. `notify` wakes the worker. */
export function createCollecting({ config, log }: ServiceOptions, shared: SharedParts, notify: () => void): Collecting {
  const { store, queue, environment, baseUrl } = shared;
  const now = () => Date.now();
  const isLocal = config.mode === 'local';
  const random: RandomBytes = (count) => new Uint8Array(randomBytes(count));
  const waitForChange: Collecting['waitForChange'] = (claimId, timeoutMs, signal) =>
    queue.waitFor(channelOf(claimId), timeoutMs, signal);
  const personalWallets = personalAddressesOf(shared);
  const checkAddress = addressChecksOf(shared);
  const claims = createClaims({
    store,
    ids: createIds(random),
    transferIdOf: openTransferIds(config),
    now,
    random,
    baseUrl,
    platforms: environment.identity.platforms,
    proofs: environment.proofs,
    checkAddress,
    screen: createScreen(config, { store, now, log }),
    personalWallets,
    purseMaxMicroUsdc: config.limits.purseMaxMicroUsdc,
    notify,
    announce: (claimId) => queue.announce(channelOf(claimId)),
    waitForChange,
    log,
    openLimiter: queue.limits.perMinute('claims opened', isLocal ? 0 : OPENED_PER_IP_MINUTE),
    mailsPerIpHourMax: isLocal ? LOCAL_MAILS_PER_IP_HOUR_MAX : MAILS_PER_IP_HOUR_MAX,
    mailsDailyMax: config.limits.mailsDailyMax,
  });
  const { signInOrigin, localPages } = environment;
  const { purseMaxMicroUsdc } = config.limits;
  const offers = { keeps: personalWallets !== null, purseMaxMicroUsdc, signInOrigin, localPages };
  return { claims, checkAddress, waitForChange, offers, random };
}

const channelOf = (claimId: string): string => `claim:${claimId}`;

function addressChecksOf({ networks }: SharedParts): AddressChecks {
  return Object.fromEntries(
    [...networks].map(([network, parts]) => [network, (text: string) => checkAddressOn(parts, text)]),
  );
}

/** Hands on the wallets' addresses only: the bot keeps the signers. Null without a seed: nothing is kept here. */
function personalAddressesOf({ networks, environment }: SharedParts): PersonalAddresses | null {
  const { chatWalletSeed: seed } = environment;
  if (seed === null) return null;
  return Object.fromEntries([...networks].map(([network, parts]) => [network, personalAddressOf(parts, seed)]));
}
