import { CATALOG_ROWS } from '../../core/catalog/operations.ts';
import { routeInvocation } from '../../core/catalog/invocation.ts';
import type { NamedRow } from '../../core/catalog/row.ts';
import { MAX_TIMEOUT_SECONDS } from '../../core/payments/x402.ts';
import { publicPlatforms, type DocumentTerms } from './document.ts';
import { leastTotal } from './examples.ts';

/**
 * `/.well-known/x402`: what can be paid for here, without asking a facilitator. Nothing standard defines it yet; the
 * form is the one that most publishers use (x402 pull request 2979): `resources`, each entry whole, with the fields of
 * a facilitator's `discovery/resources` and the terms of `PaymentRequired`.
 */
export function toDiscovery(input: DocumentTerms, rows: readonly NamedRow[] = CATALOG_ROWS): Record<string, unknown> {
  const accepts = acceptsOf(input);
  const resources = rows
    // An address with a placeholder cannot be called as it is.
    .filter(({ paid, parameters }) => paid !== null && parameters.every((name) => name === 'platform'))
    .flatMap((row) => {
      const { platforms: only } = row;
      const offered = publicPlatforms(input.platforms).filter((name) => only?.includes(name) !== false);
      const places = row.path.includes('{platform}') ? offered : [null];
      return places.map((platform) => {
        const invocation = routeInvocation(row, platform ?? row.platforms?.[0] ?? null);
        const url = input.baseUrl + row.path.replace('{platform}', platform ?? '');
        return {
          type: 'http',
          x402Version: 2,
          url,
          resource: url,
          method: row.method.toUpperCase(),
          ...(platform === null ? {} : { platform }),
          description: `${invocation.description} Shown is the least; the 402 names the price of a request.`,
          mimeType: 'application/json',
          accepts,
          extensions: { bazaar: invocation.bazaar },
        };
      });
    });
  return { x402Version: 2, name: 'pennypost', openapi: `${input.baseUrl}/openapi.json`, resources };
}

/** The price depends on the request: this is the least that any costs. */
function acceptsOf(input: DocumentTerms): Record<string, unknown>[] {
  const amount = leastTotal(input).toString();
  return input.terms.map(({ caip2, asset, payTo, extra }) => ({
    scheme: 'exact',
    network: caip2,
    amount,
    asset,
    payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra,
  }));
}

/** For language models: where to read, and which mistakes to avoid. */
export function toLlmsText(baseUrl: string): string {
  return `# pennypost

> Send USDC to anyone by the name they already go by: a handle, an e-mail address or a domain. Paid for by x402; no account, no key.

- [Documentation](${baseUrl}/docs): every operation, with a form to try it
- [OpenAPI 3.1](${baseUrl}/openapi.json): the same for programs
- [Paid resources](${baseUrl}/.well-known/x402): x402 discovery
- MCP: ${baseUrl}/mcp (streamable HTTP, no session; draft server card at ${baseUrl}/mcp/server-card). Tools pay_x, pay_decsocial, pay_email, pay_web, pay_code, batch_pay, validate_payment, create_reward_distribution, confirm_reward_distribution. The price is error -32402; repeat the call with _meta["x402/payment"] and _meta.taskId.
- [A2A agent card](${baseUrl}/.well-known/agent-card.json): skills pennypost.pay.{platform} and pennypost.batch-pay.{platform}, also payable by a plain transfer

## Rules of paying

- Ask first, without a payment header: the answer is 402 with the price (body for x402 version 1, header PAYMENT-REQUIRED for version 2). Nothing is charged. With an empty body it names the least price, the fields and an example.
- Sign exactly that price and repeat the same request with the header PAYMENT-SIGNATURE. 200 means settled on chain.
- A client of the Machine Payments Protocol answers the challenge in WWW-Authenticate of the same 402 with Authorization: Payment.
- After a timeout, a network error or 500 settlement_pending: repeat the same request with the same proof. Never sign a second time.
- To be told what becomes of payments, register an endpoint once (POST /events/endpoints) and name it in the header Event-Endpoint.
- Send an Idempotency-Key (16 to 128 characters) with every payment: the same key never pays twice.
- x402 clients refuse more than 1 USDC (version 2) or 0.10 USDC (version 1) by default: raise their limit for more.
- 0.01 to 10 USDC per recipient, at most 6 decimals, at most 100 recipients per batch. Amounts are refused, never rounded.
- Confirm the receiver with the person you act for: what was collected cannot be called back.
`;
}
