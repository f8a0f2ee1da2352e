throw new Error('the sample throws while it is loaded');
