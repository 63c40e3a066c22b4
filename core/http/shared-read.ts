/**
 * Reads the connections of a server into one piece of memory. Node allocates 64 KiB for each read of a socket and
 * shrinks them afterwards, which takes as long as the rest of reading a small request.
 */
import { channel } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { SocketConstructorOpts } from 'node:net';

export interface SharedRead {
  /** Emits `data` with bytes that the next read of any connection overwrites. */
  readonly socket: Socket;
  /** Makes the socket like any other: from now on its bytes stay. */
  end(): void;
}

/** As much as Node reads at once. */
const READ_BYTES = 64 * 1024;
/**
 * Member of a socket that Node does not document. A program can give a socket memory to read into only when it creates the
 * socket, and a server creates its sockets itself.
 */
const HANDLE = '_handle';
/** Members by which a server counts its sockets. */
const OWNERS = ['_server', 'server'] as const;

const sockets = channel('net.server.socket');
const memory = Buffer.allocUnsafeSlow(READ_BYTES);

/**
 * Option of a new socket that makes it read into the shared memory.
 * @param take gets bytes that the next read of any connection overwrites
 */
export function sharedReads(take: (bytes: Buffer) => void): SocketConstructorOpts['onread'] {
  const callback = (count: number): boolean => {
    take(memory.subarray(0, count));
    return true;
  };
  return { buffer: memory, callback };
}

/** Lets a new connection read into the shared memory; in a Node that has other members the socket stays as it is. */
export function shareReads(given: Socket): SharedRead {
  const handle: unknown = Reflect.get(given, HANDLE);
  if (!takesMemory(handle)) return { socket: given, end: () => undefined };
  let isShared = true;
  const callback = (count: number): boolean => {
    const bytes = memory.subarray(0, count);
    if (!isShared) return socket.push(Buffer.from(bytes));
    socket.emit('data', bytes);
    return true;
  };
  const options: SocketConstructorOpts & { readonly handle: object } = {
    handle,
    allowHalfOpen: given.allowHalfOpen,
    onread: { buffer: memory, callback },
  };
  const socket = new Socket(options);
  for (const name of OWNERS) Reflect.set(socket, name, Reflect.get(given, name));
  Reflect.set(given, HANDLE, null);
  // Observers of server sockets get this one, because the given one is no longer used.
  if (sockets.hasSubscribers) sockets.publish({ socket });
  return { socket, end: () => void (isShared = false) };
}

function takesMemory(handle: unknown): handle is object {
  return typeof handle === 'object' && handle !== null && 'useUserBuffer' in handle;
}
