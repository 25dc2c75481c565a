// The whole table as the chosen perspective sees it: what lies in the middle, and the seats around it.

function drawTable() {
  const table = tableAt(place.version, place.perspective);
  drawMiddle(table);
  drawSeats(table, data.perspectives.find((each) => each.key === place.perspective).seat);
}
