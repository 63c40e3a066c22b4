/** Tables, viewers, states of a region: what a screen is filled with. */
import { useState, type ReactElement } from 'react';
import { CodeBox } from '../../renderer/components/CodeBox.tsx';
import { DataTable } from '../../renderer/components/DataTable.tsx';
import { HexView } from '../../renderer/components/HexView.tsx';
import { Progress } from '../../renderer/components/Progress.tsx';
import { Sparkline } from '../../renderer/components/Sparkline.tsx';
import { Boundary, Empty, Failed, Loading } from '../../renderer/components/States.tsx';
import { TabBar } from '../../renderer/components/TabBar.tsx';
import { Button } from '../../renderer/components/Button.tsx';
import { EventEditor } from '../../renderer/components/EventEditor.tsx';
import { ProblemList } from '../../renderer/components/ProblemList.tsx';
import { RulePopover } from '../../renderer/components/RulePopover.tsx';
import { StateCounts } from '../../renderer/components/StateCounts.tsx';
import { Specimen } from './Specimen.tsx';

const nothing = (): void => undefined;
const JSON_TEXT = '{ "orderId": 1, "late": true, "note": null, "lines": ["a", "b"] }';
const COUNTS = {
  queued: 1,
  held: 2,
  attempting: 3,
  retrying: 4,
  processed: 12_402,
  dropped: 6,
  expired: 7,
  'dead-lettered': 8,
  parked: 9,
};

/** All contents. */
export function Contents({ theme }: { readonly theme: string }): ReactElement {
  return (
    <>
      <Specimen title="States of a region">
        <div className="wide">
          <Progress text="Reading orders.csv" share={0.45} onStop={() => undefined} />
          <Progress text="Checking" share={undefined} onStop={() => undefined} />
          <Loading text="Loading topics" rows={3} />
        </div>
        <div className="wide">
          <Empty title="No message matches this filter.">
            <Button>Clear filter</Button>
          </Empty>
        </div>
        <div className="wide">
          <Failed text="The list could not be loaded: no answer." again={nothing} details="INTERNAL" />
        </div>
        <div className="wide">
          <Boundary>
            <Broken />
          </Boundary>
        </div>
      </Specimen>
      <Tables theme={theme} />
      <Tabs theme={theme} />
      <Codes theme={theme} />
      <Specimen title="Counts, problems, rule, sparkline">
        <StateCounts counts={COUNTS} within="" />
        <ProblemList
          label={`Problems, ${theme}`}
          problems={[
            { file: 'a.yaml', line: 10, column: 12, message: 'must be a quoted string', severity: 'error' },
            { file: 'a.yaml', message: 'unknown key "sope"', severity: 'warning' },
          ]}
        />
        <RulePopover rule="single.404" sentence="The app answered 404: dropped. An error was logged." />
        <Sparkline values={[0, 1, 4, 9, 4, 1, 0]} />
        <Sparkline values={[]} />
      </Specimen>
    </>
  );
}

/** Throws while it is drawn, as a broken part does. */
function Broken(): ReactElement {
  throw new RangeError('broken on purpose');
}

function Tables({ theme }: { readonly theme: string }): ReactElement {
  const columns = ['Topic', 'Published', 'Note'];
  return (
    <Specimen title="Table">
      <div className="wide">
        <DataTable
          label={`Table, ${theme}`}
          numeric={[1]}
          whole={[1]}
          columns={columns}
          rows={[
            { id: '1', cells: ['orders', '12,410', 'plain'] },
            { id: '2', cells: ['refunds', '310', 'chosen'], isChosen: true },
            { id: '3', cells: ['audit', '12', 'not valid'], isBad: true },
            { id: '4', cells: ['x'.repeat(200), '1', 'long'], below: <p>Below the row</p> },
          ]}
        />
      </div>
      <div className="wide">
        <DataTable dense label={`Dense table, ${theme}`} columns={columns} rows={[]} />
      </div>
    </Specimen>
  );
}

function Tabs({ theme }: { readonly theme: string }): ReactElement {
  const [tab, setTab] = useState('data');
  return (
    <Specimen title="Tabs">
      <TabBar
        fills={false}
        label={`Tabs, ${theme}`}
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'data', title: 'Data', panel: () => <p>The data</p> },
          { id: 'attempts', title: 'Attempts', amount: 3, panel: () => <p>Three attempts</p> },
        ]}
      />
    </Specimen>
  );
}

function Codes({ theme }: { readonly theme: string }): ReactElement {
  const [text, setText] = useState(JSON_TEXT);
  const bytes = new TextEncoder().encode('bytes \u0000\u202e and more of them, for a second row');
  return (
    <Specimen title="Code">
      {(['json', 'xml', 'text'] as const).map((language) => (
        <div key={language} className="wide tall">
          <CodeBox
            label={`${language}, ${theme}`}
            language={language}
            value={language === 'xml' ? '<order id="1"><total>120</total></order>' : JSON_TEXT}
          />
        </div>
      ))}
      <div className="wide tall">
        <CodeBox
          invalid
          label={`Editor, ${theme}`}
          language="json"
          readOnly={false}
          value={text}
          onChange={setText}
        />
      </div>
      <div className="wide tall">
        <HexView label={`Hex, ${theme}`} bytes={bytes} />
      </div>
      {theme === 'light' && (
        <div className="wide">
          <EventEditor original={JSON_TEXT} value={text} onChange={setText} language="json" />
        </div>
      )}
    </Specimen>
  );
}
