/** The Settings screen: what the host does and where each value comes from; how this window looks. */
import { useState, type ReactElement } from 'react';
import { Tabs } from '@base-ui/react/tabs';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { TextField } from '../../components/Fields.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { SETTINGS, SETTING_MEANINGS } from '../../copy/settings.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import { AboutSection, AppearanceSection, KeyboardSection } from './OwnSections.tsx';
import { SettingField } from './SettingField.tsx';
import css from './Settings.module.css';

type SectionId = keyof typeof SETTINGS.tabs;

const SECTIONS: readonly SectionId[] = [
  'delivery',
  'apps',
  'storage',
  'general',
  'keyboard',
  'appearance',
  'about',
];

/** The section of a key of the host. */
export function sectionOf(key: string): SectionId {
  const [head] = key.split('.');
  if (head === 'delivery') return 'delivery';
  if (head === 'app' || head === 'discovery') return 'apps';
  if (head === 'storage' || head === 'journal') return 'storage';
  return 'general';
}

/** Sections on the left; a text in the search field shows what it finds instead. */
export function SettingsView(): ReactElement {
  const { places, settings } = useConsole();
  const asked = useParam('s');
  const section = SECTIONS.find((each) => each === asked) ?? 'delivery';
  const [text, setText] = useState('');
  const { status, value, failure } = useResource(settings);
  const items = value?.items ?? [];
  const wanted = text.trim().toLowerCase();
  const found = items.filter(({ key }) =>
    `${key} ${SETTING_MEANINGS[key] ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{SETTINGS.title}</h1>
        <div className={css.find}>
          <TextField bare label={SETTINGS.find} placeholder={SETTINGS.find} value={text} onChange={setText} />
        </div>
      </div>
      {status === 'failed' && value === undefined && (
        <Failed
          text={fill(SETTINGS.failed, { message: failure?.message.replace(/\.$/, '') })}
          again={() => void settings.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && <Loading text={SETTINGS.loading} />}
      {value !== undefined && wanted !== '' && (
        <div className={page.body}>
          {found.length === 0 ? <Empty title={fill(SETTINGS.noMatch, { text })} /> : <Fields items={found} />}
        </div>
      )}
      {value !== undefined && wanted === '' && (
        <Tabs.Root
          orientation="vertical"
          className={css.parts}
          value={section}
          onValueChange={(next) => {
            if (typeof next === 'string') places.change({ s: next });
          }}
        >
          <Tabs.List aria-label={SETTINGS.sections} className={css.sections}>
            {SECTIONS.map((id) => (
              <Tabs.Tab key={id} value={id} className={css.section}>
                {SETTINGS.tabs[id]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {SECTIONS.map((id) => (
            <Tabs.Panel key={id} value={id} className={css.panel}>
              {id === section && <Section id={id} items={items.filter(({ key }) => sectionOf(key) === id)} />}
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      )}
    </div>
  );
}

function Section({
  id,
  items,
}: {
  readonly id: SectionId;
  readonly items: readonly SettingItem[];
}): ReactElement {
  if (id === 'keyboard') return <KeyboardSection />;
  if (id === 'appearance') return <AppearanceSection />;
  if (id === 'about') return <AboutSection />;
  return <Fields items={items} />;
}

function Fields({ items }: { readonly items: readonly SettingItem[] }): ReactElement {
  return (
    <div className={css.fields}>
      {items.map((item) => (
        <SettingField key={`${item.key} ${JSON.stringify(item.value)}`} item={item} />
      ))}
    </div>
  );
}
