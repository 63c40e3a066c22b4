/** The open groups of a grouped list, so that a list that is opened again has the same ones. */
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import type { RowWindow } from './row-window.ts';

/** Maximum number of groups that are opened again after a reload, since each takes a call. */
const MAX_KEPT = 200;

export class OpenGroups {
  readonly #rpc: RpcClient;
  #areAllOpen = false;
  readonly #others = new Set<string>();

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** Whether a group is open. */
  get isAny(): boolean {
    return this.#areAllOpen || this.#others.size > 0;
  }

  /** Opens or closes one group of a view, or all; returns the number of lines. Rejects RpcFailure. */
  async expand(viewId: string, groupId: string | undefined, open: boolean): Promise<number> {
    const { total } = await this.#rpc.call('view.expand', {
      viewId,
      open,
      ...withoutUndefined({ groupId }),
    });
    if (groupId === undefined) {
      this.#areAllOpen = open;
      this.#others.clear();
    } else if (open === this.#areAllOpen) this.#others.delete(groupId);
    else if (this.#others.size < MAX_KEPT) this.#others.add(groupId);
    return total;
  }

  /**
   * Opens the same groups in a new view as in the old one; returns its number of lines. Rejects RpcFailure.
   */
  async restore(viewId: string, total: number): Promise<number> {
    let lines = total;
    const { call } = this.#rpc;
    if (this.#areAllOpen) ({ total: lines } = await call('view.expand', { viewId, open: true }));
    for (const groupId of this.#others) {
      ({ total: lines } = await call('view.expand', { viewId, groupId, open: !this.#areAllOpen }));
    }
    return lines;
  }

  /**
   * The line of the group around a message, loaded if needed; undefined: the view was replaced. Rejects
   * RpcFailure.
   */
  async over(rows: RowWindow, viewId: () => string | undefined, index: number): Promise<number | undefined> {
    const held = rows.groupOver(index);
    const mine = viewId();
    if (held !== undefined || mine === undefined) return held;
    // A range that begins inside a group includes the line of that group.
    const { groups: [over] = [] } = await this.#rpc.call('view.rows', {
      viewId: mine,
      from: index,
      count: 1,
    });
    if (over === undefined || mine !== viewId()) return undefined;
    rows.putGroup(over.index, over.group);
    return over.index;
  }

  /** Forgets the open groups, because another grouping has other groups. */
  forget(): void {
    this.#areAllOpen = false;
    this.#others.clear();
  }
}
