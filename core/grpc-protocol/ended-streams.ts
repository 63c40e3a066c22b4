/**
 * Keeps the gRPC library from answering streams that are over before it hears of them: their connection may have ended with the same bytes.
 * Such an answer throws an error that nobody catches, and it would end the process.
 */

/** Handlers of the library for a new stream, with counters for its own observation and without. */
const HANDLERS = ['_channelzHandler', '_streamHandler'];

interface Ending {
  readonly destroyed: boolean;
  on(event: 'error', hear: () => void): unknown;
}

/** Call it before the server gets its first listener. The library has no option for it, only these members of a server. */
export function passOverEndedStreams(server: object): void {
  for (const name of HANDLERS) {
    const handle: unknown = Reflect.get(server, name);
    if (typeof handle !== 'function')
      throw new Error('the gRPC library hears of new streams in another way than before');
    const handleOpen = (interceptors: unknown, stream: Ending, headers: unknown): void => {
      // The stream reports the end of its connection as an error.
      if (stream.destroyed) stream.on('error', () => undefined);
      else Reflect.apply(handle, server, [interceptors, stream, headers]);
    };
    Object.assign(server, { [name]: handleOpen });
  }
}
