/** The Settings screen: settings of the host with their sources, and settings of this window. */
import { useEffect, useState, type ReactElement } from 'react';
import { Tabs } from '@base-ui/react/tabs';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import { Apps } from './AppsSection.tsx';
import { General, Storage } from './HostSections.tsx';
import { AboutSection, AppearanceSection, KeyboardSection } from './OwnSections.tsx';
import { SECTIONS, findSettings, meantSearch, sectionOf, type SectionId } from './setting-kinds.ts';
import { SettingFields } from './SettingField.tsx';
import css from './Settings.module.css';

/** Sections on the left; a text in the search field shows the matches instead. */
export function SettingsView(): ReactElement {
  const { settings } = useConsole();
  // Scripts and sample traffic change values without an event, so they are loaded again here.
  useEffect(() => settings.invalidate(), [settings]);
  const { status, value, failure } = useResource(settings);
  const [text, setText] = useState('');
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{SETTINGS.title}</h1>
        <div className={css.find}>
          <TextField
            hideLabel
            type="search"
            label={SETTINGS.find}
            placeholder={SETTINGS.find}
            value={text}
            onChange={setText}
          />
        </div>
      </div>
      {value === undefined && status === 'failed' && (
        <Failed
          text={fill(SETTINGS.failed, { message: whyNotRead(failure) })}
          again={() => void settings.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && <Loading text={SETTINGS.loading} />}
      {value !== undefined && text.trim() !== '' && (
        <Results items={value.items} text={text} search={setText} leave={() => setText('')} />
      )}
      {value !== undefined && text.trim() === '' && <Sections items={value.items} />}
    </div>
  );
}

interface ResultsProps {
  readonly items: readonly SettingItem[];
  readonly text: string;
  /** Searches for another text. */
  readonly search: (text: string) => void;
  readonly leave: () => void;
}

function Results({ items, text, search, leave }: ResultsProps): ReactElement {
  const { navigation } = useConsole();
  const found = findSettings(items, text);
  if (found.items.length === 0 && found.own.length === 0)
    return (
      <Empty title={fill(SETTINGS.noMatch, { text })}>
        <Meant meant={meantSearch(items, text)} search={search} />
      </Empty>
    );
  return (
    <section aria-label={SETTINGS.found} className={css.results}>
      <SettingFields items={found.items} all={items} />
      {found.own.length > 0 && (
        <ul aria-label={SETTINGS.elsewhere} className={css.own}>
          {found.own.map(({ section, title }) => (
            <li key={`${section} ${title}`}>
              <Button
                kind="quiet"
                onClick={() => {
                  navigation.change({ s: section });
                  leave();
                }}
              >
                {fill(SETTINGS.goTo, { section: SETTINGS.tabs[section], setting: title })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface MeantProps {
  /** The search that was probably meant; undefined: none is similar. */
  readonly meant: string | undefined;
  readonly search: (text: string) => void;
}

function Meant({ meant, search }: MeantProps): ReactElement | null {
  if (meant === undefined) return null;
  return (
    <p>
      {SETTINGS.didYouMean}{' '}
      <Button onClick={() => search(meant)}>
        <code>{meant}</code>
      </Button>
      ?
    </p>
  );
}

function Sections({ items }: { readonly items: readonly SettingItem[] }): ReactElement {
  const { navigation } = useConsole();
  const asked = useParam('s');
  const section = SECTIONS.find((each) => each === asked) ?? 'general';
  return (
    <Tabs.Root
      orientation="vertical"
      className={css.parts}
      value={section}
      onValueChange={(next) => {
        if (typeof next === 'string') navigation.change({ s: next }, { replace: true });
      }}
    >
      <Tabs.List aria-label={SETTINGS.sections} className={css.sections} activateOnFocus>
        {SECTIONS.map((id) => (
          <Tabs.Tab key={id} value={id} className={css.section}>
            {SETTINGS.tabs[id]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SECTIONS.map((id) => (
        <Tabs.Panel key={id} value={id} className={css.panel}>
          {id === section && <Section id={id} items={items} />}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

interface SectionProps {
  readonly id: SectionId;
  readonly items: readonly SettingItem[];
}

function Section({ id, items }: SectionProps): ReactElement {
  // Addresses of apps are on the apps' cards.
  const own = items.filter(({ key }) => sectionOf(key) === id && key !== 'app.address');
  const fields = <SettingFields items={own} all={items} />;
  switch (id) {
    case 'general':
      return <General>{fields}</General>;
    case 'apps':
      return <Apps addresses={items.find(({ key }) => key === 'app.address')}>{fields}</Apps>;
    case 'delivery':
    case 'eventRouter':
      return fields;
    case 'storage':
      return <Storage>{fields}</Storage>;
    case 'keyboard':
      return <KeyboardSection />;
    case 'appearance':
      return <AppearanceSection />;
    case 'about':
      return <AboutSection />;
  }
}
