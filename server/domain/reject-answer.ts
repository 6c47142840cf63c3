/** What the API answers about a record that could not be read. */
export interface RejectAnswer {
  line: number;
  code: string;
  message: string;
  sample: string;
}
