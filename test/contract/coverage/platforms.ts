import type { CoverageRow } from './row.ts';

/** Section 1: who can be named, and how. */
export const PLATFORM_ROWS: readonly CoverageRow[] = [
  {
    says: 'eight platforms, each offered over HTTP, as tool, as skill and in chats as its row says',
    tests: [['core/platforms/platforms.test.ts', 'the table has the platforms of the contract, each offered where the contract says']],
  },
  {
    says: 'each platform has its own pattern of names',
    tests: [
      ['core/platforms/recipient.test.ts', '%s takes %j as %s'],
      ['core/platforms/recipient.test.ts', '%s refuses %j'],
    ],
  },
  {
    says: 'an alias works wherever the name does, on every route',
    tests: [
      ['core/platforms/platforms.test.ts', '%s names the platform %s'],
      ['flow/payments/platforms.test.ts', '%s is %s on every route, in any case'],
    ],
  },
  {
    says: 'answers carry the canonical name, and an alias is the same request',
    tests: [
      ['flow/payments/platforms.test.ts', 'an alias is the same request as the name: one proof answers both'],
      ['contract/same-request.test.ts', 'at another name of the platform'],
      ['flow/payments/batch.test.ts', 'goes across platforms, aliases included'],
    ],
  },
  {
    says: 'a platform for bots only is 404 for everybody else',
    tests: [
      ['flow/payments/platforms.test.ts', '%s does not exist, exactly like a word that is no platform'],
      ['contract/bad-input/pay.test.ts', 'for bots only'],
    ],
  },
  {
    says: 'the bot’s token opens those routes',
    tests: [
      ['flow/payments/platforms.test.ts', '%s is %s on every route'],
      ['flow/payments/platforms.test.ts', 'with %s it does not exist either'],
      ['flow/payments/platforms.test.ts', 'without a token in the configuration nobody is the bot'],
    ],
  },
  {
    says: 'the bot’s token lifts the limit per address, and not the one per payer',
    tests: [
      [
        'flow/payments/limits.test.ts',
        'the 21st request of a minute answers 429 with Retry-After; another caller and the bot are served',
      ],
    ],
  },
  {
    says: 'the bot’s token makes agent_name count as known',
    tests: [
      ['flow/payments/platforms.test.ts', 'reaches a person on a platform for bots, and its sender is known'],
      ['flow/payments/platforms.test.ts', 'from any other caller the same name is only what they call themselves'],
    ],
  },
  {
    says: 'the bot’s token proves a chat id in a claim, and rejects a distribution',
    tests: [
      ['api/claims/proofs.test.ts', 'is proven by the bot, which saw it, and keeps the money in its own wallet'],
      ['flow/rewards/rewards.test.ts', 'the bot rejects without the secret; nobody does without either'],
    ],
  },
  {
    says: 'the bot pays like any outsider',
    tests: [
      ['client/payments.test.ts', 'the token goes along only when there is one'],
      ['flow/tip.browser.test.ts', 'a newcomer types /tip @x:alice 1 and sees the receipt, the transaction and the escrow'],
    ],
  },
  {
    says: 'a leading @ and surrounding space are dropped, after NFKC',
    tests: [['core/platforms/recipient.test.ts', '%s takes %j as %s']],
  },
  {
    says: 'look-alike, invisible and bidirectional characters are refused by name',
    tests: [
      ['core/platforms/recipient.test.ts', '%s says of %j what is wrong, by name, and what is wanted'],
      [
        'core/platforms/recipient.test.ts',
        'no other letter than its own case ever leads to a name: look-alikes cannot reach another person',
      ],
      ['contract/bad-input/receivers.ts', 'a look-alike letter'],
    ],
  },
  {
    says: 'keys are lower case, and what the caller wrote is kept for display',
    tests: [['core/platforms/recipient.test.ts', 'a key, and what is displayed, read again give the same key']],
  },
  {
    says: 'e-mail: lower case, domain as an A-label, at most 254 octets; dots and tags stay',
    tests: [
      ['core/platforms/email.test.ts', '%j is the address %s'],
      ['core/platforms/email.test.ts', 'dots and tags keep people apart'],
      [
        'core/platforms/email.test.ts',
        'an address may have 254 octets, counted with the domain as an A-label, and not one more',
      ],
    ],
  },
  {
    says: 'e-mail: line breaks, commas and quotes are refused',
    tests: [
      ['contract/bad-input/receivers.ts', 'CRLF and a header'],
      ['contract/bad-input/receivers.ts', 'two addresses'],
      ['contract/bad-input/receivers.ts', 'a quote'],
    ],
  },
  {
    says: 'web: the exact host; no bare suffix, no IP address; a subdomain is not its domain',
    tests: [
      ['core/platforms/web.test.ts', 'a subdomain is not its domain'],
      ['contract/bad-input/receivers.ts', 'a bare public suffix'],
      ['contract/bad-input/receivers.ts', 'an IPv4 address'],
      ['contract/bad-input/receivers.ts', 'an IPv6 address'],
    ],
  },
  {
    says: 'web: a URL with a path is refused, naming the bare host or the platform it belongs to',
    tests: [
      ['contract/bad-input/pay.test.ts', 'a URL with a path is told the bare host, or the platform that it belongs to'],
      ['core/platforms/recipient.test.ts', '%s points %j to its place: %s'],
    ],
  },
  {
    says: 'a recipient is a stable user id; for e-mail and web the name itself',
    tests: [
      ['core/platforms/platforms.test.ts', 'only for e-mail and web the name is the identity'],
      ['attack/defects.test.ts', 'still credits the resolved identity'],
    ],
  },
  {
    says: 'an installation offers what PLATFORMS names, else what it is configured for; local mode everything',
    tests: [
      ['identity/platforms/offered.test.ts', '%s is offered when all it needs is there'],
      ['core/config/config.test.ts', 'platforms may be named by their aliases, each once'],
    ],
  },
  {
    says: 'a platform that is not offered is 400 platform_unavailable before a price is named',
    tests: [
      ['flow/payments/resolving.test.ts', '%s to a platform that is not offered'],
      ['flow/payments/platforms.test.ts', 'a platform that is not offered is refused before anybody is asked for money'],
    ],
  },
  {
    says: 'without a proof only syntax and memory are consulted',
    tests: [
      ['contract/order.test.ts', 'the syntax is judged, and no platform is asked'],
      ['flow/payments/resolving.test.ts', 'an unknown name with a proof, and then without one, from memory'],
    ],
  },
  {
    says: 'with a valid proof the name is resolved before the claim, within 1.5 seconds; an unknown one costs nothing',
    tests: [
      ['contract/order.test.ts', 'for nobody is refused with nothing moved and nothing claimed'],
      ['identity/resolve.test.ts', 'ends the wait for a resolver that does not listen, and tells it'],
    ],
  },
  {
    says: 'a recipient who opted out is 400 receiver_opted_out',
    tests: [['api/claims/opt-out.test.ts', 'a line for a recipient who opted out refuses the request, naming it']],
  },
  {
    says: 'a platform that does not answer: accepted, asked again for 15 minutes, then refunded',
    tests: [
      [
        'flow/payments/resolving.test.ts',
        'the payment is settled; when the platform is back, the person it names can collect it',
      ],
      ['flow/payments/resolving.test.ts', 'still without an answer after 15 minutes it comes back'],
      ['flow/payments/resolving.test.ts', 'a name that nobody has comes back on the chain, fee included, and the receipt says why'],
    ],
  },
];
