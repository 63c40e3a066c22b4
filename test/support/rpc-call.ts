/** One call of the console's interface by the addresses of a ready line. */

export interface RpcAddress {
  readonly rpc: string;
  readonly token: string;
}

/** @returns the result; rejects with the method and the error that was answered */
export async function call({ rpc, token }: RpcAddress, method: string, params: object): Promise<unknown> {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer: { result?: unknown; error?: unknown } = await response.json();
  if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result;
}
