/** Texts that explain one message, and what waits for a person. */

export const WHY = {
  left: '{n} left',
  lastOne: 'none left',
  noLimit: 'no limit',
  /** Text for a message without deliveries, which has no transition and so no sentence of its own. */
  none: 'No subscription for topic {topic} on {pubsub}.',
  /** Text where a subscription has the same names but for their case. */
  noneInCase:
    'No subscription for topic {topic} on {pubsub}: names are compared exactly, upper and lower case included.',
  noneAtAll: 'No subscription for topic {topic} on {pubsub}: no app subscribes to anything.',
  /** Text for a copy on a dead-letter topic, which mostly nobody subscribes to. */
  noneCopy:
    'A dead-letter copy. Nobody subscribes to {topic} on {pubsub}: it stays here to be looked at or replayed.',
  /** Text where the subscriptions of an app are not known. */
  noneKnown: 'No known subscription matches topic {topic} on {pubsub}.',
  /** Text in front of the sentence on why it is called again. */
  runsAgain: 'Attempt {n} is running. Before it:',
  /** Text of a recording: a call that was running has no end in it. */
  ranThen: 'Attempt {n} was running when it was recorded. Before it:',
  /** Texts of a delivery whose answer a hold keeps back: its call is over, and no rule has judged the answer. */
  answerHeldBy: 'Hold "{hold}" keeps back the answer to attempt {n}.',
  answerHeld: 'The answer to attempt {n} is held.',
  /** Text of a recording. */
  answerHeldThen: 'The answer to attempt {n} was held when it was recorded.',
  /** Name of a hold without a name and without a filter. */
  holdForAll: 'everything',
  notHanded:
    'Replay it to deliver it to {app}. It was published before there was a subscription for topic {topic} on {pubsub}.',
  /** Text before the link to the replay of a message without a subscription. */
  replayedAs: 'No app here got it when it was published. It was replayed as',
  /** Text where the component has a broker of its own. */
  notHandedHere:
    "There is a subscription for topic {topic} on {pubsub} ({app}), but this Sidelight did not deliver the message: it was published before the subscription, still waits in the broker, or went to another program of the app's group. If nobody got it, replay it.",
  /** Text where an app here subscribed when it was published to a broker. */
  expected:
    "It was not delivered here, though {app} subscribed to topic {topic} on {pubsub} when it was published. It may still wait in the broker, or another program of the app's group took it. If nobody got it, replay it.",
  /** Text of a recording, which does not know what the broker did later. */
  expectedThen:
    "The recording has no delivery of it, though {app} subscribed to topic {topic} on {pubsub} when it was published. It may have waited in the broker by then, or another program of the app's group took it.",
  /** Text of a recording, which does not have the subscriptions of its time. */
  noneThen:
    'The recording has no delivery of this message: no subscription to topic {topic} on {pubsub} had received it by then.',
  noneUsed: 'No subscription in use matches topic {topic} on {pubsub}.',
  unusedFile: 'The one in {file}, line {line}, is not used: {reason}',
  /** Sentences in front of the one that there is none: the head of a message has room for two lines. */
  nearTopic: 'There is a subscription for topic {topic} on {pubsub}.',
  nearComponent: 'There is a subscription for this topic on another component, {pubsub}.',
  inactive: 'The subscription of {app} is not used: {reason}',
  /** Text for a subscription of a file. */
  inactiveFile: 'The subscription of {app} in {file} is not used: {reason}',
  discoveryFailed: 'The subscriptions of {app} could not be read: {error}.',
  noneRule: 'no subscription',
  noneRuleText:
    'A message goes to every subscription with its pub/sub component and its topic. Both are compared exactly and case-sensitively.',
  waiting: 'Waiting for {app} to report {n:its|their} subscriptions.',
  /** Text for a message whose time to live passed meanwhile: only its app knows whether a dead-letter topic is to get a copy. */
  waitingExpired:
    'Its time to live ended at {time}, so it will not be delivered. It expires as soon as {app} {n:has|have} reported {n:its|their} subscriptions, which may name a dead-letter topic for it.',
  /** Text for a message that Sidelight had not published for certain when it ended. */
  waitingComponent: 'Waiting for component {pubsub} to accept it; Sidelight then publishes it again.',
  nextTry: '{reason}. Next try at {time}.',
  waitingPort: "Can't reach {app} at {url}; retrying.",
  /** Text of a recording, which has states and answers but no queues. */
  waitedThen: 'It was waiting for its turn when it was recorded. A recording does not say for what.',
  appGone: 'There is no app {app} now. The delivery waits until an app with this id is added.',
  oldRoute:
    'Reroute it: {app} now takes this topic {now}. The delivery keeps the route {path} of an earlier subscription.',
  missingRoute:
    '{App} has always answered {answer} at {path}. Serve this route or correct it in the subscription, then choose More, Reroute.',
  refused: 'It was not published, so no app got it.',
  held: 'Held by "{hold}" when it was published: no subscription has it yet.',
  heldNoName: 'Held when it was published: no subscription has it yet.',
  /** Texts of a recording. */
  heldThen: 'Held when it was published. It was still held when it was recorded.',
  waitingThen: 'It was waiting for {app} to report {n:its|their} subscriptions when it was recorded.',
  waitingComponentThen: 'It was waiting for component {pubsub} to accept it when it was recorded.',
  droppedThen: 'A person dropped it while it was held at publish.',
  dropped: 'You dropped it while it was held at publish. That cannot be undone: replay it to publish it.',
  expired: 'It expired before a subscription had it.',
  /** Text for a message that another sidecar took. */
  unseen:
    'It was published through the tap of {app}. No delivery of it has passed a tap: only the sidecar of {app} knows its subscriptions.',
} as const;

/** Why a delivery that may be attempted waits, by the reason that its queue gives. */
export const TURN = {
  stopping: 'Sidelight is stopping, so no call starts.',
  opening: 'Waiting for {pubsub} to open the subscription to {topic}.',
  discovery: 'Waiting for {app} to report its subscriptions.',
  asking: 'Waiting while Sidelight asks {app} for its subscriptions again.',
  restarting: 'Waiting until the process of {app} runs again.',
  health: 'Waiting for {app} to pass its health check.',
  history: 'Waiting for the disk. Calls start again when Sidelight has written more of the history.',
  calls:
    'Waiting for a call to end: {now} {now:call|calls} of this subscription {now:is|are} running, and the limit is {most} (delivery.concurrency).',
  'app-calls':
    'Waiting for a call to end: {now} {now:call|calls} to {app} {now:is|are} running, and the limit is {most} (app.maxConcurrency).',
  ownCalls:
    'Waiting for a call to end: {now} {now:call|calls} to {app} {now:is|are} running, and the limit is {most} (the limit of this app).',
  batch:
    'Waiting for its batch (bulkSubscribe): {now} of {most} {most:message|messages} {now:has|have} arrived. The batch is sent at {time} at the latest.',
  'earlier-call':
    'Its batch is sent in several calls, one after another. Waiting for an earlier call to end.',
  bodies: 'Waiting for room in memory: running calls to {app} hold bodies of {now}, and the limit is {most}.',
  rules: 'Its route is not known yet: match rules of other messages are evaluated first.',
  preparing: 'Its call is about to start: its body is being read.',
  act: 'Waiting for an action on this delivery to end.',
  turn: 'Its call is about to start.',
  behind: 'Waiting for its turn.',
  first: 'It is the next one.',
  ahead: '{n} {n:delivery goes|deliveries go} first.',
} as const;

/** Texts on how often an app got a message, and why more than once. */
export const CALLS = {
  label: 'How often the app got it',
  once: 'The app got it{here} once.',
  many: 'The app got it{here} {n} {n:time|times}:',
  none: 'The app has not got it{here} yet.',
  /** Texts of a recording. */
  noneThen: 'The app had not got it{here} when it was recorded.',
  runningThen: 'Attempt {n} was running when it was recorded. The recording does not say how it ended.',
  /** Addition for a message of a broker, which may hand it to other programs of the app's group too. */
  here: ' from this Sidelight',
  /** Texts for calls that did not reach the app. */
  onceNotReached: 'One call, which did not reach the app.',
  noneReached: '{n} {n:call|calls}, none of which reached the app:',
  someReached: '{n} {n:call|calls}, {reached} of which reached the app:',
  never: 'The app never got it{here}.',
  /** Texts for calls that ended without an answer: the app may have read them or not. */
  onceUnknown: 'One call, which got no answer. The app may have got it.',
  allUnknown: '{n} {n:call|calls}, none of which got an answer. The app may have got them:',
  noneSure: '{n} {n:call|calls}, {unknown} of which may have reached the app:',
  someUnknown:
    '{n} {n:call|calls}: {reached} reached the app, and {unknown} without an answer may have reached it:',
  /** Texts about a call that the end of Sidelight, or the removal of its app, cut off. */
  perhaps: 'A call was cut off before its answer. Sidelight does not know whether the app got it.',
  atLeast:
    'The app got it{here} {n} {n:time|times}. A call was cut off before its answer, so the app may have got it once more:',
  call: 'Attempt {n}:',
  callAgain: 'Attempt {n} once more:',
  calls: 'Attempts {from} to {to}:',
  earlier: '{n} earlier ones; the timeline has them all.',
  answered: {
    after: 'because attempt {m} was answered {answer}.',
    beforeAct: 'Attempt {m} had been answered {answer}.',
    afterEach: 'each because the attempt before it was answered {answer}.',
  },
  /** As `answered`, where the answer to a batch does not name the entry. */
  leftOut: {
    after: 'because attempt {m} was answered {answer}, and that answer left this entry out.',
    beforeAct: 'Attempt {m} had been answered {answer}, and that answer left this entry out.',
    afterEach:
      'each because the attempt before it was answered {answer}, and that answer left this entry out.',
  },
  unanswered: {
    after: 'because attempt {m} got no answer.',
    beforeAct: 'Attempt {m} had got no answer.',
    afterEach: 'each because the attempt before it got no answer.',
  },
  deliveries: 'The message has a delivery for each of {n} {n:subscription|subscriptions}: {list}.',
  sameEvent: 'The event id {id} was published {n} {n:time|times}; each is a message of its own.',
  sameEventReplayed:
    'The event id {id} was published {published} and replayed {replayed}{n: at|, last at} {time}; each is a message of its own.',
  onceText: 'once',
  timesText: '{n} {n:time|times}',
  sameEventAtLeast:
    'The event id {id} was published or replayed at least {n} {n:time|times}; each is a message of its own.',
  showSame: 'Show them',
} as const;

export const NOT_CHOSEN = {
  label: 'Why not the others',
  false: 'Rule {n} `{match}` was not chosen: it is false for this event.',
  notLooked: 'Rule {n} `{match}` was not looked at: the first rule that is true decides.',
  notLookedAfterError: 'Rule {n} `{match}` was not looked at: rule {broken} could not be evaluated.',
  defaultNotUsed: 'Default route {path} was not used: a rule matched.',
  defaultAfterError:
    'Default route {path} was not used. It applies only when every rule is false, and a rule failed.',
} as const;
