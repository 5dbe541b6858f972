# campaign
