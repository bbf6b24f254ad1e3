// Stands in for the crowd platform's own script of external pages (ours): its functions are there, and nothing is sent.
(function () {
  "use strict";
  window.turkGetParam = function (name, otherwise) {
    var value = new URLSearchParams(window.location.search).get(name);
    return value === null ? (otherwise === undefined ? "" : otherwise) : value;
  };
  window.turkGetSubmitToHost = function () {
    return "";
  };
  // The platform writes the assignment's number into the form and takes the button away in its preview: here neither.
  window.turkSetAssignmentID = function () {};
})();
