/** The Publish screen: one message, or many in one request. */
import type { ReactElement } from 'react';
import { TabBar } from '../../components/TabBar.tsx';
import { Button } from '../../components/Button.tsx';
import { Empty } from '../../components/States.tsx';
import { PUBLISH } from '../../copy/publish.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import { BulkForm } from './BulkForm.tsx';
import { SingleForm } from './SingleForm.tsx';

/** Tabs "Single" and "Bulk"; without a component there is nowhere to publish to. */
export function PublishView(): ReactElement {
  const { places, topology } = useConsole();
  const tab = useParam('t') === 'bulk' ? 'bulk' : 'single';
  const { value } = useResource(topology.components);
  const hasPubsub = value === undefined || value.items.some(({ kind }) => kind === 'pubsub');
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{PUBLISH.title}</h1>
      </div>
      {hasPubsub ? (
        <TabBar
          label={PUBLISH.tabs}
          value={tab}
          onChange={(t) => places.change({ t: t === 'single' ? undefined : t })}
          tabs={[
            { id: 'single', title: PUBLISH.single, panel: () => <SingleForm /> },
            { id: 'bulk', title: PUBLISH.bulk, panel: () => <BulkForm /> },
          ]}
        />
      ) : (
        <Empty title={PUBLISH.empty}>
          <Button onClick={() => places.go('/components')}>{PUBLISH.openComponents}</Button>
        </Empty>
      )}
    </div>
  );
}
