/** Texts of the editor of component files. */

export const FILES = {
  edit: 'Edit',
  editOf: 'Edit {file}',
  new: 'New',
  newTitle: 'New file',
  newOff: 'To add files, start Sidelight with --resources DIR.',
  template: 'Template',
  templates: {
    memory: 'In-memory pub/sub',
    redis: 'Redis Streams pub/sub',
    router: 'Event router binding',
    subscription: 'Declarative subscription',
  },
  name: 'File name',
  nameHint: 'Ends with .yaml or .yml, without a folder.',
  nameWrong: 'Expected a name such as orders.yaml.',
  taken: '{file} exists already: edit it, or use another name.',
  loading: 'Reading {file}',
  failed: '{file} could not be read: {message}.',
  editor: 'Text of {file}',
  tabs: 'The file and its changes',
  text: 'Text',
  changes: 'Changes {n}',
  noChanges: 'No changes.',
  checking: 'Checking',
  fine: 'No problems. Saving loads the folder again.',
  problems: 'Problems {n}',
  goTo: 'Go to {place}',
  save: 'Save',
  fixFirst: 'Fix errors to save. Warnings do not prevent it.',
  copyPath: 'Copy path',
  reveal: 'Reveal file',
  saved: '{file} was saved and the folder was loaded.',
  savedWith: '{file} was saved and the folder was loaded; {n} {n:warning|warnings}.',
  notSaved: '{file} was not saved: {n} {n:problem|problems}.',
  overwrite: 'Overwrite {file}?',
  overwriteText: 'The file changed on disk since you opened it. Saving would lose that change.',
  overwriteYes: 'Overwrite',
  changedOnDisk: '{file} changed on disk and was loaded.',
  changedWith: '{file} changed on disk and was loaded; it has {n} {n:problem|problems}.',
  removedOnDisk: '{file} was removed from the folder; its content is no longer loaded.',
  show: 'Show',
  readOnly: 'Text of {file}, read-only',
} as const;

/** Beginnings of new files; {group} is the API group of the profile. */
export const TEMPLATES = {
  memory: `apiVersion: {group}/v1alpha1
kind: Component
metadata:
  name: my-pubsub
spec:
  type: pubsub.in-memory
  version: v1
`,
  redis: `apiVersion: {group}/v1alpha1
kind: Component
metadata:
  name: my-redis
spec:
  type: pubsub.redis
  version: v1
  metadata:
    - name: redisHost
      value: "127.0.0.1:6379"
`,
  router: `apiVersion: {group}/v1alpha1
kind: Component
metadata:
  name: my-router
spec:
  type: bindings.cloud.eventrouter
  version: v1
  metadata:
    - name: handshakePort
      value: "9000"
`,
  subscription: `apiVersion: {group}/v2alpha1
kind: Subscription
metadata:
  name: my-subscription
spec:
  pubsubname: pubsub
  topic: orders
  routes:
    default: /orders
`,
} as const;

export type Template = keyof typeof TEMPLATES;
