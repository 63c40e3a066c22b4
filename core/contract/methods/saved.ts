/** Methods for what a person keeps for publishing: payload schemas, saved requests, drafts. */
import { id, name, texts } from '../bounds.ts';
import { act, query } from '../method.ts';
import { publishParams } from '../publish.ts';
import { keptDrafts, pastRequest, payloadSchema, savedRequest, schemaVerdict } from '../saved.ts';
import { Bool, Integer, list, members, none, Num, Optional, orNull, Text, Unknown } from '../schema.ts';
import { problem } from '../subscription.ts';

export const SAVED = {
  'schemas.list': query({
    does: 'lists payload schemas by topic and event type',
    params: none,
    result: members({
      items: list(payloadSchema),
    }),
  }),
  'schemas.set': act({
    does: 'saves a JSON Schema (draft 2020-12, 2019-09 or 07); a schema that cannot be used is refused',
    params: members({
      schemaId: Optional(id),
      name: Text({ minLength: 1, maxLength: 1000 }),
      topic: name,
      eventType: Optional(name),
      schema: Unknown(),
    }),
    result: payloadSchema,
  }),
  'schemas.remove': act({
    does: 'deletes a schema',
    params: members({ schemaId: id }),
    result: members({
      items: list(payloadSchema),
    }),
  }),
  'schemas.validate': query({
    does: 'checks data (a string is read as JSON) against a schema, or against the one bound to the topic; a check that takes longer than 5 s ends as not valid, with "could not be checked"',
    params: members({
      data: Unknown(),
      schemaId: Optional(id),
      topic: Optional(name),
      eventType: Optional(name),
      schema: Optional(Unknown()),
    }),
    result: schemaVerdict,
  }),
  'requests.list': query({
    does: 'lists saved requests, the last 200 publishes, and the variables. It includes the requests of `*.sidelight.json` files beside the components (`file`), and `problems` says what is wrong with such files',
    params: none,
    result: members({
      items: list(savedRequest),
      /** Newest first, at most 200. */
      history: list(pastRequest),
      variables: texts,
      /** Problems of the request files in the folder. */
      problems: list(problem),
    }),
  }),
  'requests.save': act({
    does: 'saves a publish under a name',
    params: members({
      requestId: Optional(id),
      name: Text({ minLength: 1, maxLength: 1000 }),
      folder: Optional(name),
      shortcut: Optional(Integer({ minimum: 1, maximum: 9 })),
      inPalette: Optional(Bool()),
      request: publishParams,
    }),
    result: savedRequest,
  }),
  'requests.remove': act({
    does: 'deletes a saved request',
    params: members({ requestId: id }),
    result: members({
      items: list(savedRequest),
    }),
  }),
  'requests.variables': act({
    does: 'sets what `{{var name}}` stands for',
    params: members({ variables: texts }),
    result: members({
      variables: texts,
    }),
  }),
  'requests.export': query({
    does: 'gives saved requests as the text of a `*.sidelight.json` file, which you can keep with your code',
    params: members({ requestIds: Optional(list(id, { maxItems: 1000 })) }),
    result: members({
      fileName: Text(),
      text: Text(),
      count: Num(),
    }),
  }),
  'requests.import': act({
    does: 'reads the text of a `*.sidelight.json` file; a request with a known id is replaced. If the file has a mistake, nothing changes, and the error says where the mistake is',
    params: members({ text: Text() }),
    result: members({
      added: Num(),
      replaced: Num(),
      items: list(savedRequest),
    }),
  }),
  'drafts.get': query({
    does: 'gives the drafts of the publish screens; both members are null if there are none',
    params: none,
    result: keptDrafts,
  }),
  'drafts.set': act({
    does: 'saves the drafts of the publish screens, also for the next start. `over` is the `savedAt` of the drafts that they may replace. If other drafts are saved by now, those stay, and the answer has them as `theirs`',
    params: members({ drafts: Unknown(), over: Optional(orNull(Text())) }),
    result: members({
      savedAt: Text(),
      theirs: Optional(Unknown()),
    }),
  }),
  'requests.resolve': query({
    does: 'gives a request with its variables filled in; it sends nothing',
    params: members({ request: publishParams }),
    result: members({
      request: publishParams,
    }),
  }),
  'requests.run': act({
    does: 'fills in the variables of a request and publishes it',
    params: members({ requestId: Optional(id), request: Optional(publishParams) }),
    result: members({
      messageId: Text(),
      request: publishParams,
    }),
  }),
};
