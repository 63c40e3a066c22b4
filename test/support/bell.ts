/** A binding that a test rings, alone or in a runtime. */
import type { Binding, BindingEvent, BindingTaken, TakeEvent } from '../../core/ports/binding.ts';
import { component } from './listed-components.ts';
import { started } from './runtime-stand.ts';
import type { Stand } from './runtime-stand.ts';

/** A binding that a test can invoke and ring. */
export class Bell implements Binding {
  readonly operations = ['create'];
  readonly hasInput = true;
  listening: TakeEvent | undefined;
  readonly invoked: { operation: string; data: string; metadata: Readonly<Record<string, string>> }[] = [];

  async start(): Promise<void> {
    this.listening = undefined;
  }

  async invoke(
    operation: string,
    data: string,
    metadata: Readonly<Record<string, string>>,
  ): Promise<undefined> {
    this.invoked.push({ operation, data, metadata });
    if (data === '"fail"') throw new Error('the other side said no');
  }

  async listen(take: TakeEvent): Promise<{ close(): Promise<void> }> {
    this.listening = take;
    return {
      close: async () => {
        this.listening = undefined;
      },
    };
  }

  ring(event: BindingEvent = { data: '{"n":1}', metadata: { Tone: 'high' } }): Promise<BindingTaken> {
    if (this.listening === undefined) throw new Error('nobody listens');
    return this.listening(event);
  }

  async close(): Promise<void> {
    this.listening = undefined;
  }
}

/** A runtime with a bell, started. */
export async function belled(
  metadata: Readonly<Record<string, string>> = { direction: 'input, output' },
): Promise<{ stand: Stand; bell: Bell }> {
  const bell = new Bell();
  const stand = await started({ appApiToken: 'secret' }, (it) => {
    it.components.components = [component('bell', 'bindings.bell', metadata)];
    it.components.own.set('bell', () => bell);
  });
  return { stand, bell };
}
