/** A stand-in for the API's claims by accounts that the bot vouches for. */
export function createFakeClaims() {
  const state = { total: 0 };
  const asked: string[] = [];
  const answers: Record<string, () => [number, object]> = {
    '/claims': () => [201, { code: 201, data: { claim_id: 'claim_1' } }],
    '/claims/claim_1/proof': () => [
      200,
      { code: 200, data: { status: 'verified', total: state.total, confirm_token: 'secret' } },
    ],
    '/claims/claim_1/confirm': () => [200, { code: 200, data: {} }],
    '/claims/claim_1/decline': () => [200, { code: 200, data: {} }],
  };
  return {
    /** Paths, in the order in which they were asked. */
    asked,
    /** This many USDC wait for anyone who asks. */
    waits: (total: number): void => void (state.total = total),
    reset(): void {
      state.total = 0;
      asked.length = 0;
    },
    fetch: async (input: string | URL | Request): Promise<Response> => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      asked.push(pathname);
      const [status, body] = answers[pathname]?.() ?? [404, {}];
      return Response.json(body, { status });
    },
  };
}
