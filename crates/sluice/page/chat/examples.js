/** Questions to begin with, over the embedded samples: each shows another thing that an answer can be. */
export const EXAMPLES = [
  { ask: "Which exchanges saw the largest BTC inflows in the last 24 hours?", shows: "Calls made together, and a ranking" },
  { ask: "What is the price of the World Cup market?", shows: "Two readings: it asks back" },
  { ask: "Show the history of BTC flows on Binance over the last 7 days", shows: "A chart over time, with its data" },
  { ask: "What time is it in Tokyo and what is the weather there?", shows: "Two tools for one answer" },
];
