# charts
