/** Error of an expectation that failed; the message is the story, line by line. */
export class NotSo extends Error {
  override readonly name = 'NotSo';
  readonly story: readonly string[];

  constructor(story: readonly string[]) {
    super(story.join('\n'));
    this.story = story;
  }
}
