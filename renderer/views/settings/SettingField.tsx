/** One setting of the host in the field for its kind. */
import type { ReactElement } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { AppHealthSetting } from './AppHealthSetting.tsx';
import { EventRouterSetting } from './EventRouterSetting.tsx';
import { JsonSetting, ListSetting, NumberSetting, WordsSetting } from './PlainSettings.tsx';
import { RetryByTopic } from './RetryByTopic.tsx';
import { RetrySetting } from './RetrySetting.tsx';
import { kindOf } from './setting-kinds.ts';
import css from './Settings.module.css';

export interface SettingFieldProps {
  readonly item: SettingItem;
  /** All settings, because some depend on others. */
  readonly all: readonly SettingItem[];
}

function SettingField({ item, all }: SettingFieldProps): ReactElement {
  const kind = kindOf(item.key);
  switch (kind.kind) {
    case 'number':
      return <NumberSetting item={item} unit={kind.unit} />;
    case 'words':
      return <WordsSetting item={item} />;
    case 'list':
      return <ListSetting item={item} />;
    case 'retry':
      return <RetrySetting item={item} />;
    case 'retry-by-topic':
      return <RetryByTopic item={item} general={all.find(({ key }) => key === 'delivery.retry')?.value} />;
    case 'app-health':
      return <AppHealthSetting item={item} />;
    case 'event-router':
      return <EventRouterSetting item={item} />;
    case 'json':
      return <JsonSetting item={item} />;
  }
}

/** Settings of the host in a column. */
export function SettingFields({
  items,
  all,
}: {
  readonly items: readonly SettingItem[];
  readonly all: readonly SettingItem[];
}): ReactElement {
  return (
    <div className={css.fields}>
      {items.map((item) => (
        <SettingField key={item.key} item={item} all={all} />
      ))}
    </div>
  );
}
